__constant__ float coefficients[5];

// Every other lane goes from the last coefficient to the first: two of them at a time.
__global__ void constant_filter(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 5; ++k) {
    int j = threadIdx.x % 2 == 0 ? k : 4 - k;
    sum += coefficients[j] * x[i + j];
  }
  out[i] = sum;
}
