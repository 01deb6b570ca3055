__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || y >= height) return;
  unsigned char x = column;
  out[y * width + x] = 255 - image[y * width + x];
}
