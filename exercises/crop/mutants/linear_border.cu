__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) {
    int i = (top + y) * pitch + left + x;
    out[y * columns + x] = i >= 0 && i < pitch * height ? image[i] : 0;  // no bad access, and wrong pixels
  }
}
