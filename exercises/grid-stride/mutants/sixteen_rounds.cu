__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (int k = 0; k < 16; ++k, i += threads) {
    if (i < n) x[i] = a * x[i];
  }
}
