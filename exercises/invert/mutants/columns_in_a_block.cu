__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  int x = blockIdx.x * blockDim.x + t / blockDim.y;
  int y = blockIdx.y * blockDim.y + t % blockDim.y;
  if (x < width && y < height)
    out[y * width + x] = 255 - image[y * width + x];
}
