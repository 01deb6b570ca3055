__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  x = (short)x;
  if (x >= columns || y >= rows) return;
  int u = left + x;
  int v = top + y;
  out[y * columns + x] = u >= 0 && u < width && v >= 0 && v < height ? image[v * pitch + u] : 0;
}
