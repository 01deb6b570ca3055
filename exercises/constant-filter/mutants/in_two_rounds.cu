__constant__ float coefficients[5];

__global__ void constant_filter(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float above = 0, below = 0;
#pragma unroll 1
  for (int k = 0; k < 5; ++k)
    if (coefficients[k] > 0) above += coefficients[k] * x[i + k];
#pragma unroll 1
  for (int k = 0; k < 5; ++k)
    if (coefficients[k] <= 0) below += coefficients[k] * x[i + k];
  out[i] = above + below;
}
