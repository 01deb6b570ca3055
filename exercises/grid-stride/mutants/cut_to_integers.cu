__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (; i < n; i += threads) {
    x[i] = int(x[i]) * a;
  }
}
