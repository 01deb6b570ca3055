// All microphones' weights in constant memory: lanes of
// one warp want different ones at the same time.
__constant__ float weight[CHANNELS * 8];

__global__ void mixer(const float* x, const float* c,
                      float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* own = weight + i % CHANNELS * 8;
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += own[k] * x[i + k * CHANNELS];
  out[i] = sum;
}
