__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0;
  int lane = i % 32;
  for (int step = 1; step < 32; step *= 2) {
    float before = __shfl_up_sync(0xffffffff, sum, step);
    if (lane >= step) sum += before;
  }
  // lane 31 holds the whole sum, lane k that of the first k + 1
  if (lane == 31 && i - 31 < n) sums[i / 32] = sum;
}
