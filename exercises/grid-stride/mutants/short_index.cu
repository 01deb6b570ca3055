__global__ void scale(int n, float a, float* x) {
  short i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i >= 0 && i < n; i += gridDim.x * blockDim.x)
    x[i] = a * x[i];
}
