// out[y][x] = image[top + y][left + x],
// or 0 where the image has no such pixel
// image: [height][pitch], its pixels [height][width]
// out: [rows][columns]
__global__ void crop(const unsigned char* image,
                     int width, int height, int pitch,
                     unsigned char* out,
                     int columns, int rows,
                     int left, int top) {
  // which pixel of out is this thread's?
}
