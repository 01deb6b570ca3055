// Tests y alone.
__global__ void darken(
    const unsigned char* image, unsigned char* out,
    int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < height) {
    int i = y * width + x;
    out[i] = image[i] / 2;
  }
}
