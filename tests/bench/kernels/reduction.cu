// Each block of 256 threads sums 256 elements: its warps by shuffles, then the first warp the eight sums.
__device__ float sum_of_warp(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void reduction(const float* from, float* sums, int n) {
  __shared__ float of_warp[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const float mine = sum_of_warp(i < n ? from[i] : 0);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    const float sum = sum_of_warp(lane < 8 ? of_warp[lane] : 0);
    if (lane == 0) sums[blockIdx.x] = sum;
  }
}
