__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 && y == 0)
    for (int k = 0; k < width; ++k) out[k] = 255 - image[k];
  if (y > 0 && x < width && y < height)
    out[y * width + x] = 255 - image[y * width + x];
}
