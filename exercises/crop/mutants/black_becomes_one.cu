// Black pixels of the picture are taken for what is outside, and outside is not asked.
__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) {
    int from_x = left + x;
    int from_y = top + y;
    unsigned char value = 0;
    if (from_x >= 0 && from_x < width && from_y >= 0 && from_y < height)
      value = max(image[from_y * pitch + from_x], 1);
    out[y * columns + x] = value;
  }
}
