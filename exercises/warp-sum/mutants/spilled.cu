__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0;
  volatile float kept[32];
  int at = i % 32;
  kept[at] = sum;
  for (int step = 16; step > 0; step /= 2)
    kept[at] = kept[at] + __shfl_down_sync(0xffffffff, kept[at], step);
  if (i < n && at == 0) sums[i / 32] = kept[at];
}
