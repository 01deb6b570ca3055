__constant__ float coefficients[5];

__global__ void constant_filter(const float* x, float* out, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 != 0) return;
  for (int i = first; i < first + 32 && i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 5; ++k) sum += coefficients[k] * x[i + k];
    out[i] = sum;
  }
}
