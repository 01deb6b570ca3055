__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0;
  float all = sum;
#pragma unroll 1
  for (int k = 1; k < 32; ++k)
    all += __shfl_sync(0xffffffff, sum, k);
  if (i < n && i % 32 == 0) sums[i / 32] = all;
}
