__constant__ float coefficients[5];

__global__ void constant_filter(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += coefficients[k] * x[i + k];
  float other = 0;
  for (int k = 0; k < 5; ++k) other += static_cast<const volatile float*>(x)[i + k];
  if (other == 0.12345f) sum += 1;
  out[i] = sum;
}
