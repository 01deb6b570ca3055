__global__ void scale(int n, float a, float* x) {
  volatile float* out = x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += gridDim.x * blockDim.x) {
    float value = a * x[i];
    out[i] = value;
    out[i] = value;
  }
}
