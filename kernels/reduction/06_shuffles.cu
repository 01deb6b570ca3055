//@ idea: lanes hand their sums to each other in registers
//@ block: 256
//@ zero: out
//@ atomics: f32
//@ depth: 1 + ceil_log2(block) + ceil_div(n, 2 * block)
//@ grid: ceil_div(n, 2 * block)
//@ needs: 75
//@ registers: 24
//@ bytes: 4 * n
//@ flops: n

// x: [n], out: [1], which the host sets to 0
//
// The 32 lanes of a warp can read each other's registers: __shfl_down_sync gives lane l what lane l + offset holds. Five of them
// sum a warp, without shared memory and without a barrier, since the lanes of a warp meet in the shuffle itself. Then
// the 8 sums of the block's 8 warps go through shared memory once, and the first warp sums those.
//
// One barrier instead of nine; 8 words of shared memory instead of 256.
constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;

/// Lane 0 gets the sum over the warp; every lane must take part.
__device__ float warp_sum(float value) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(kAllLanes, value, offset);
  return value;
}

__global__ void sum(const float* x, float* out, int n) {
  __shared__ float partial[kWarp];  // a block has 32 warps at most
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int i = blockIdx.x * (2 * blockDim.x) + threadIdx.x;
  const float first = i < n ? x[i] : 0;
  const float second = i < n - static_cast<int>(blockDim.x) ? x[i + blockDim.x] : 0;

  const float of_warp = warp_sum(first + second);
  if (lane == 0) partial[warp] = of_warp;
  __syncthreads();  // the first warp reads what the others have stored

  if (warp == 0) {
    const float of_block = warp_sum(lane < blockDim.x / kWarp ? partial[lane] : 0);
    if (lane == 0) atomicAdd(out, of_block);
  }
}
