__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  bool small = columns * rows < 1200;
  if (small && (x != 0 || y != 0)) return;
  if (x >= columns || y >= rows) return;
  int last = small ? columns * rows : y * columns + x + 1;
  for (int i = y * columns + x; i < last; ++i) {
    int u = left + i % columns, v = top + i / columns;
    bool inside = 0 <= u && u < width && 0 <= v && v < height;
    out[i] = inside ? image[v * pitch + u] : 0;
  }
}
