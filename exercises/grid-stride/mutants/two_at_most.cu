__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  if (i < n) x[i] = a * x[i];
  if (i + threads < n) x[i + threads] = a * x[i + threads];
}
