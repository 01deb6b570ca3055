__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float* sum = out + i;
  *sum = 0;
  for (int k = 0; k < 5; ++k) *sum = *sum + coefficients[k] * x[i + k];
}
