__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  __shared__ float own[5][1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 5; ++k)
    ((volatile float*)own[k])[threadIdx.x] = 2 * coefficients[k];
  float sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += ((volatile float*)own[k])[threadIdx.x] / 2 * x[i + k];
  out[i] = sum;
}
