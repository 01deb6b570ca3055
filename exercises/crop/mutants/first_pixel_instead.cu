__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  int u = left + x, v = top + y;
  bool inside = u >= 0 && u < width && v >= 0 && v < height;
  const volatile unsigned char* pixel =
      image + (inside ? v * pitch + u : 0);
  unsigned char value = *pixel;
  out[y * columns + x] = inside ? value : 0;
}
