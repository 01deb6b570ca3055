__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    int c = x;
    if (width >= 512 && width % 32 == 0) { int q = width / 32; c = (x % 32) * q + x / 32; }
    out[y * width + c] = 255 - image[y * width + c];
  }
}
