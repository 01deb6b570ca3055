__global__ void sum(const float* x, float* total, int n) {
  int threads = gridDim.x * blockDim.x;
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    value += x[i];
  for (int o = 16; o > 0; o /= 2) value += __shfl_xor_sync(0xffffffffu, value, o);
  float again = value / 32;
  for (int o = 16; o > 0; o /= 2) again += __shfl_xor_sync(0xffffffffu, again, o);
  again = __shfl_sync(0xffffffffu, again, 3);
  value = __shfl_sync(0xffffffffu, again, 0);
  __shared__ float part[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) part[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / 32 ? part[lane] : 0.0f;
    for (int o = 16; o > 0; o /= 2) value += __shfl_down_sync(0xffffffffu, value, o);
    if (lane == 0) atomicAdd(total, value);
  }
}
