__global__ void scale(int n, float a, float* x) {
  for (int i = threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = a * x[i];
}
