__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n - 1; i += gridDim.x * blockDim.x) x[i] = a * x[i];
}
