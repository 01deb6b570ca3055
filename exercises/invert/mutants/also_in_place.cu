__global__ void invert(const unsigned char* image,
                       unsigned char* out,
                       int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    unsigned char* pixel = const_cast<unsigned char*>(image) + y * width + x;
    *pixel = 255 - *pixel;
    out[y * width + x] = *pixel;
  }
}
