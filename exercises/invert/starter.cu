// out[y][x] = 255 - image[y][x]
// image, out: [height][width]
__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  // which pixel is this thread's, and is there one?
}
