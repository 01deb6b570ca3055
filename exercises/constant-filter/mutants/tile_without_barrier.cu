__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  __shared__ float samples[1024 + 4];
  int first = blockIdx.x * blockDim.x;
  for (int j = threadIdx.x; j < blockDim.x + 4 && first + j < n + 4; j += blockDim.x)
    samples[j] = x[first + j];
  int i = first + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += coefficients[k] * samples[threadIdx.x + k];
  out[i] = sum;
}
