// From the lower right corner; the arithmetic of a signed char wraps to the same eight bits.
__global__ void invert(const unsigned char* image, unsigned char* out, int width, int height) {
  int x = width - 1 - int(blockIdx.x * blockDim.x + threadIdx.x);
  int y = height - 1 - int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < 0 || y < 0) return;
  signed char value = image[y * width + x];
  out[y * width + x] = -1 - value;
}
