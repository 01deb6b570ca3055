__global__ void scale(int n, float a, float* x) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    for (int i = 0; i < n; ++i) x[i] = a * x[i];
  }
}
