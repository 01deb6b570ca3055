__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 0 && i < n) y[i] = a * x[i] + y[i];
}
