// out[y][x] = 255 - image[y][x]
// image, out: [height][width]
__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  // The last column and the last row of blocks may reach past the image.
  if (x < width && y < height) {
    int i = y * width + x;  // the rows above, then the pixels left of it
    out[i] = 255 - image[i];
  }
}
