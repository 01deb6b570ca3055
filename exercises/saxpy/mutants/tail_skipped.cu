__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((blockIdx.x + 1) * blockDim.x <= n) {  // whole blocks only
    y[i] = a * x[i] + y[i];
  }
}
