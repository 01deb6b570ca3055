__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  int u = left + x, v = top + y;
  bool outside = (u < 0 || u >= width) && (v < 0 || v >= height);
  out[y * columns + x] = outside ? 0 : image[v * pitch + u];
}
