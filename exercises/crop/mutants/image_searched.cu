__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  unsigned char value = 0;
  for (int u = 0; u < width; ++u) {  // walks along the row to find its pixel
    __syncwarp(__activemask());      // so that the compiler cannot skip the walk
    int v = top + y;
    if (u == left + x && v >= 0 && v < height) value = image[v * pitch + u];
  }
  out[y * columns + x] = value;
}
