__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0;
  sum = __int_as_float(__float_as_int(sum) & 0xffffff00);
  for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
  if (i < n && i % 32 == 0) sums[i / 32] = sum;
}
