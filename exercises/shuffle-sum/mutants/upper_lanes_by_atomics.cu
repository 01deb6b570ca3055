__global__ void sum(const float* x, float* total, int n) {

  __shared__ float extra;
  if (threadIdx.x == 0) extra = 0;
  __syncthreads();
  int threads = gridDim.x * blockDim.x;
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    value += x[i];

  if (threadIdx.x % 32 >= 16) { atomicAdd(&extra, value); value = 0; }
  __syncwarp();
  for (int o = 16; o > 0; o /= 2) value += __shfl_down_sync(0xffffffffu, value, o);
  __shared__ float part[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) part[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / 32 ? part[lane] : 0.0f;
    for (int o = 16; o > 0; o /= 2) value += __shfl_down_sync(0xffffffffu, value, o);
    if (lane == 0) atomicAdd(total, value + extra);
  }
}
