// Turns a negative into a positive.
__global__ void invert(const unsigned char* film,
                       unsigned char* clean, int width,
                       int radius, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    clean[i] = 255 - film[i];
  }
}
