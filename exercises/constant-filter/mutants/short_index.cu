__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  int all = blockIdx.x * blockDim.x + threadIdx.x;
  if (all >= n) return;
  unsigned short i = all;
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += coefficients[k] * x[i + k];
  out[i] = sum;
}
