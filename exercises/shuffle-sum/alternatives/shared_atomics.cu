// *total, which the host sets to 0, becomes the sum of
// x: [n]
__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

__global__ void sum(const float* x, float* total, int n) {
  __shared__ float of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  int threads = gridDim.x * blockDim.x;
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += threads)
    value += x[i];
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) atomicAdd(&of_block, value);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, of_block);
}
