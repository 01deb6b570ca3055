__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
  volatile float* first = y;
  if (threadIdx.x == 0 && blockIdx.x > 0) *first = *first;
}
