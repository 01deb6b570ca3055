__global__ void saxpy(int n, float a, const float* x, float* y) {
  if (blockIdx.x == 0) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = a * x[i] + y[i];
  }
}
