__device__ float over_warp(float value) {
  for (int step = 16; step > 0; step >>= 1)
    value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0;
  sum = over_warp(sum);
  if (i < n && i % 32 == 0) sums[i / 32] = sum;
}
