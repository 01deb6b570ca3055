__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  if (blockIdx.x != 0 || blockIdx.y != 0) return;
  for (int y = threadIdx.y; y < rows; y += blockDim.y) {
    for (int x = threadIdx.x; x < columns; x += blockDim.x) {
      int u = left + x, v = top + y;
      out[y * columns + x] = u >= 0 && u < width && v >= 0 && v < height ? image[v * pitch + u] : 0;
    }
  }
}
