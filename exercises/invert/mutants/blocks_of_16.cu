__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = 255 - image[y * width + x];
}
