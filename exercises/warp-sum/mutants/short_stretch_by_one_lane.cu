__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0;
  if (i / 32 * 32 + 32 <= n) {
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, step);
  } else if (i % 32 == 0) {
    for (int k = 1; i + k < n; ++k) sum += x[i + k];
  }
  if (i < n && i % 32 == 0) sums[i / 32] = sum;
}
