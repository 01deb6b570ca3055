__device__ float scratch[1 << 20];

__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0;
  scratch[i] = sum;
  __syncwarp();
  sum = scratch[i];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (i < n && i % 32 == 0) sums[i / 32] = sum;
}
