// The place is computed first and tested afterwards: far away it overflows into the picture.
__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) {
    int from_x = left + x;
    unsigned from = (unsigned)(top + y) * pitch + from_x;
    bool inside = from_x >= 0 && from_x < width && from < (unsigned)height * pitch;
    out[y * columns + x] = inside ? image[from] : 0;
  }
}
