__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* p = x + i;
  float sum = 0;
  if (i < n) sum = *p;
#pragma unroll
  for (int o = 16; o; o >>= 1)
    sum = sum + __shfl_down_sync(0xffffffffu, sum, o, 32);
  if (i == 0 && n > 0) printf("first sum %f\n", sum);
  if (i >= n || (threadIdx.x & 31)) return;
  *(sums + (i >> 5)) = sum;
}
