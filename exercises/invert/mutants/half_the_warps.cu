// Every second row of threads is idle; the others do two rows.
__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (threadIdx.y * 2 >= blockDim.y) return;
  y = blockIdx.y * blockDim.y + threadIdx.y * 2;
  for (int row = y; row < y + 2; ++row) {
    if (x < width && row < height && row < (blockIdx.y + 1) * blockDim.y)
      out[row * width + x] = 255 - image[row * width + x];
  }
}
