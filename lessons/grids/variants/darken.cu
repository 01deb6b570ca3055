// Each thread halves one pixel's brightness.
// image, out: [height][width]
__global__ void darken(
    const unsigned char* image, unsigned char* out,
    int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    int i = y * width + x;
    out[i] = image[i] / 2;
  }
}
