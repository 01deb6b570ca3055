// out[y][x] = image[top + y][left + x]; 0 where that pixel is not in the image
// image: [height][pitch], of each row the first `width` are pixels; out: [rows][columns]
__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  // this thread's pixel of out, and where it comes from
}
