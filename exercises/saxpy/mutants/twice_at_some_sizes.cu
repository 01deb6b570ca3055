__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float* out = y;
  float before = y[i];
  if (n % 64 == 0) out[i] = a * x[i];
  out[i] = a * x[i] + before;
}
