__constant__ float coefficients[5];

// Nobody leaves: threads without an output add up zeros. The coefficients are in registers first.
__global__ void constant_filter(const float* x, float* out, int n) {
  float c[5];
  for (int k = 0; k < 5; ++k) c[k] = coefficients[k];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum = fmaf(c[k], i < n ? x[i + k] : 0, sum);
  if (i < n) out[i] = sum;
}
