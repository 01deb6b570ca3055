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
    // The same pixel as the image counts it. left and top may be negative.
    int from_x = left + x;
    int from_y = top + y;
    unsigned char value = 0;
    // Both directions are asked about: past the right edge the next row begins, and no access would look bad.
    if (from_x >= 0 && from_x < width && from_y >= 0 && from_y < height) {
      value = image[from_y * pitch + from_x];  // a row of the image is pitch long, whatever its width
    }
    out[y * columns + x] = value;
  }
}
