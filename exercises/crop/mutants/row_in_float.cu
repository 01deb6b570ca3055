__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  int u = left + x;
  int v = (int)((float)top + y);
  bool inside = u >= 0 && u < width && v >= 0 && v < height;
  out[y * columns + x] = inside ? image[v * pitch + u] : 0;
}
