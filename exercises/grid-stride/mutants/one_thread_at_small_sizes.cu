__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  if (n < 20000) {
    if (i == 0) {
      for (int j = 0; j < n; ++j) x[j] = a * x[j];
    }
    return;
  }
  for (; i < n; i += threads) x[i] = a * x[i];
}
