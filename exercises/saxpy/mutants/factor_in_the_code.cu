__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float factor = a > 0 ? 2.5f : -0.75f;
  if (i < n) y[i] = factor * x[i] + y[i];
}
