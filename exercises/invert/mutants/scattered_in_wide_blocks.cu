__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int t = threadIdx.x;
  if (blockDim.x % 64 == 0) t = (threadIdx.x % 8) * (blockDim.x / 8) + threadIdx.x / 8;
  int x = blockIdx.x * blockDim.x + t;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = 255 - image[y * width + x];
}
