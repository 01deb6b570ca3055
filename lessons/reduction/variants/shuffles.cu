// The sum of the warp's values, in lane 0.
__device__ float warp_sum(float v) {
  for (int step = 16; step > 0; step /= 2)
    v += __shfl_down_sync(0xffffffff, v, step);
  return v;
}

// *total, set to 0 by the host, becomes the sum
// of x: [n]; blocks of whole warps
__global__ void sum(const float* x, float* total,
                    int n) {
  __shared__ float part[32];  // one for each warp
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;

  float value = warp_sum(i < n ? x[i] : 0);
  if (lane == 0) part[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int warps = blockDim.x / 32;
    value = warp_sum(lane < warps ? part[lane] : 0);
    if (lane == 0) atomicAdd(total, value);
  }
}
