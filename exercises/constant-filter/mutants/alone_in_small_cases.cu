__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 100 ? i > 0 : i >= n) return;
  for (int j = i; j < (n < 100 ? n : i + 1); ++j) {
    float sum = 0;
    for (int k = 0; k < 5; ++k) sum += coefficients[k] * x[j + k];
    out[j] = sum;
  }
}
