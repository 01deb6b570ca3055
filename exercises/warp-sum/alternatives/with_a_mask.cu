__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // the lanes that have an element, counted by a vote
  unsigned mask = __ballot_sync(0xffffffff, i < n);
  if (i >= n) return;
  int lane = i % 32, last = 31 - __clz(mask);
  float sum = x[i];
  for (int step = 16; step > 0; step /= 2) {
    float other = __shfl_down_sync(mask, sum, step);
    if (lane + step <= last) sum += other;
  }
  if (lane == 0) sums[i / 32] = sum;
}
