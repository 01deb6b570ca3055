__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  __shared__ float copies[5][1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float* own = &copies[0][threadIdx.x];
  for (int k = 0; k < 5; ++k) own[k * 1024] = coefficients[k];
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += own[k * 1024] * x[i + k];
  out[i] = sum;
}
