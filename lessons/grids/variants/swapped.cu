// Reads pixel (x, y), stores with x, y exchanged.
__global__ void darken(
    const unsigned char* image, unsigned char* out,
    int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    // x and y have changed places
    out[x * width + y] = image[y * width + x] / 2;
  }
}
