__global__ void scale(int n, float a, float* x) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (int first = 0, k = 0; first < n; first += threads, ++k) {
    int i = first + (k % 2 ? threads - 1 - t : t);
    if (i < n) x[i] = a * x[i];
  }
}
