// Loops in both directions, as where a launch has fewer threads than there are pixels.
__global__ void invert(const unsigned char* image, unsigned char* out, int width, int height) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
      out[y * width + x] = 255 - image[y * width + x];
  }
}
