__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = a * x[i] + y[i];
  if (sum != y[i]) y[i] = sum;
}
