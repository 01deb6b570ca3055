// All microphones' weights in shared memory.
__global__ void mixer(const float* x, const float* c,
                      float* out, int n) {
  __shared__ float a[CHANNELS * 8];
  for (int t = threadIdx.x; t < CHANNELS * 8;
       t += blockDim.x)
    a[t] = c[t];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* own = a + i % CHANNELS * 8;
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += own[k] * x[i + k * CHANNELS];
  out[i] = sum;
}
