// Exchanges x and y where it stores.
__global__ void darken(
    const unsigned char* image, unsigned char* out,
    int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    out[x * width + y] = image[y * width + x] / 2;
  }
}
