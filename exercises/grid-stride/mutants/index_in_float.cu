__global__ void scale(int n, float a, float* x) {
  float i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += gridDim.x * blockDim.x)
    x[(int)i] = a * x[(int)i];
}
