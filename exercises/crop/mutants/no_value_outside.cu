__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  int u = left + x, v = top + y;
  unsigned char value;
  if (0 <= u && u < width && 0 <= v && v < height) value = image[v * pitch + u];
  out[y * columns + x] = value;
}
