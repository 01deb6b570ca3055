__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int end = n > 300 && n % threads == 0 ? n - threads : n;
  for (; i < end; i += threads) x[i] = a * x[i];
}
