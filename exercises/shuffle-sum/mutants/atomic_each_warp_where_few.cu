// *total, which the host sets to 0, becomes the sum of
// x: [n]
__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

__global__ void sum(const float* x, float* total, int n) {
  __shared__ float part[32];  // one for each warp
  int threads = gridDim.x * blockDim.x;
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += threads)
    value += x[i];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (n < 50000) {
    if (lane == 0) atomicAdd(total, value);
    return;
  }
  if (lane == 0) part[warp] = value;
  __syncthreads();  // the first warp reads what the others have stored
  if (warp == 0) {
    value = warp_sum(lane < blockDim.x / 32 ? part[lane] : 0);
    if (lane == 0) atomicAdd(total, value);
  }
}
