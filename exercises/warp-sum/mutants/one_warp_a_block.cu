__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (t >= 32) return;
  for (int w = 0; w < blockDim.x; w += 32) {
    int at = blockIdx.x * blockDim.x + w + t;
    float sum = at < n ? x[at] : 0;
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, step);
    if (at < n && t == 0) sums[at / 32] = sum;
  }
}
