__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  short u = left + x, v = top + y;
  bool inside = 0 <= u && u < width && 0 <= v && v < height;
  out[y * columns + x] = inside ? image[v * pitch + u] : 0;
}
