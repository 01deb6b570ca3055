__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 32) return;
  for (int first = 0; first < n; first += 32) {
    float sum = first + i < n ? x[first + i] : 0;
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, step);
    if (i == 0) sums[first / 32] = sum;
  }
}
