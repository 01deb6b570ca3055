__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) out[y * columns + x] = image[(top + y) * pitch + left + x];
}
