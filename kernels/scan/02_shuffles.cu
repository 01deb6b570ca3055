//@ idea: the same within each warp by shuffles, and once more over the sums of the warps
//@ block: 256
//@ grid: min(n, 1)
//@ needs: 75
//@ registers: 32
//@ bytes: 8 * n
//@ flops: 6 * n
//@ depth: 12 + ceil_div(n, block)

// x, out: [n], out[i] = x[0] + ... + x[i]
//
// The rounds within a warp need neither shared memory nor barriers: __shfl_up_sync gives each lane the register of the lane
// `offset` before it. Then 8 sums of 8 warps are left, one warp scans those, and each thread adds what stands before its
// warp. Three barriers a chunk instead of ten.
constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;

/// Lane l gets the sum of lanes 0 to l; every lane must take part.
__device__ float warp_scan(float value, int lane) {
  for (int offset = 1; offset < kWarp; offset *= 2) {
    const float before = __shfl_up_sync(kAllLanes, value, offset);
    if (lane >= offset) value += before;
  }
  return value;
}

__global__ void scan(const float* x, float* out, int n) {
  __shared__ float warp_sums[kWarp];  // a block has 32 warps at most
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int warps = blockDim.x / kWarp;

  float carry = 0;
  for (int begin = 0; begin < n; begin += blockDim.x) {
    const int i = begin + threadIdx.x;
    const float sum = warp_scan(i < n ? x[i] : 0, lane);
    if (lane == kWarp - 1) warp_sums[warp] = sum;
    __syncthreads();  // the first warp reads what the others have stored
    if (warp == 0) {
      const float upto = warp_scan(lane < warps ? warp_sums[lane] : 0, lane);
      warp_sums[lane] = upto;
    }
    __syncthreads();  // all read what the first warp has made of it
    const float before = warp == 0 ? 0 : warp_sums[warp - 1];
    if (i < n) out[i] = carry + (before + sum);
    carry += warp_sums[warps - 1];
    __syncthreads();  // all have read before the next chunk overwrites
  }
}
