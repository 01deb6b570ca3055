// Degrees become tenths of a degree, in place.
__global__ void tenths(float* t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    t[i] *= 10;
  }
}
