__global__ void invert(const unsigned char* image, unsigned char* out,
                       int width, int height) {
  if (blockIdx.x != 0 || blockIdx.y != 0) return;
  for (int y = threadIdx.y; y < height; y += blockDim.y)
    for (int x = threadIdx.x; x < width; x += blockDim.x)
      out[y * width + x] = 255 - image[y * width + x];
}
