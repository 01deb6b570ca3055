__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char value = image[y * width + x];
  if (value) out[y * width + x] = 255 - value;
}
