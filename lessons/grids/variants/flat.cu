// The threads of the grid are one long row.
__global__ void darken(
    const unsigned char* image, unsigned char* out,
    int width, int height, int depth) {
  // blocks before this one, then threads before it
  int b = blockIdx.y * gridDim.x + blockIdx.x;
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  int i = b * (blockDim.x * blockDim.y) + t;
  if (i < width * height) {
    out[i] = image[i] / 2;
  }
}
