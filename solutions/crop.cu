// out[y][x] = image[top + y][left + x],
// or 0 where the image has no such pixel
// image: [height][pitch], its pixels [height][width]
// out: [rows][columns]
__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) {
    // Where the pixel is in the image. left and top may be negative.
    int from_x = left + x;
    int from_y = top + y;
    unsigned char value = 0;
    // Both directions are tested. An access past the right edge would land in the next row, which
    // is no error that anything could report.
    if (from_x >= 0 && from_x < width && from_y >= 0 && from_y < height) {
      value = image[from_y * pitch + from_x];  // rows begin pitch elements apart
    }
    out[y * columns + x] = value;
  }
}
