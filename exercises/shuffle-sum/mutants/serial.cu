// *total, which the host sets to 0, becomes the sum of
// x: [n]
__global__ void sum(const float* x, float* total, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    float value = 0;
    for (int i = 0; i < n; ++i) value += x[i];
    *total = value;
  }
}
