// The nearest pixel that there is, times 1 inside and 0 outside; loops that any launch would do.
__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  const bool empty = width <= 0 || height <= 0;
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < rows; y += gridDim.y * blockDim.y) {
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < columns; x += gridDim.x * blockDim.x) {
      const int u = min(max(left + x, 0), width - 1);
      const int v = min(max(top + y, 0), height - 1);
      const int inside = u == left + x && v == top + y;
      out[y * columns + x] = empty ? 0 : image[v * pitch + u] * inside;
    }
  }
}
