__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int each = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
  for (int k = i * each; k < (i + 1) * each && k < n; ++k) x[k] = a * x[k];  // a run of its own for each thread
}
