__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int whole = n / threads * threads;
  for (int k = i; k < whole; k += threads) x[k] = a * x[k];
  if (i == 0)
    for (int k = whole; k < n; ++k) x[k] = a * x[k];
}
