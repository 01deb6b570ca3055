__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x % 2 || y >= rows) return;
  for (int c = x; c < x + 2 && c < columns; ++c) {
      int u = left + c, v = top + y;
      out[y * columns + c] = u >= 0 && u < width && v >= 0 && v < height ? image[v * pitch + u] : 0;
  }
}
