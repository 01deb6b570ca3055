//@ idea: all blocks at once, then their sums, then what stands before each block is added to it
//@ block: 256
//@ needs: 75
//@ registers: 32
//@ bytes: 16 * n
//@ flops: 7 * n
//@ depth: 24 + ceil_div(blocks, block)
//@ let: blocks = ceil_div(n, block)
//@ workspace: sums f32[blocks]
//@ launch: scan_blocks(x, out, sums, n)
//@ grid: blocks
//@ launch: scan_sums(sums, blocks)
//@ grid: min(blocks, 1)
//@ launch: add_sums(out, sums, n)
//@ grid: blocks

// x, out: [n], out[i] = x[0] + ... + x[i]; sums: [blocks]
//
// Blocks cannot wait for each other within a launch, but between two launches everything has been written. So the work is cut
// there: each block scans its own 256 elements and leaves their sum; one block scans the sums (rung 02's loop); and in a
// third launch each block adds the sum of all before it.
//
// The whole GPU works. The price: out is written, read again and written again, 16 bytes an element where 8 are needed. Half
// of the copy bandwidth is the best that it can reach.
constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ float warp_scan(float value, int lane) {
  for (int offset = 1; offset < kWarp; offset *= 2) {
    const float before = __shfl_up_sync(kAllLanes, value, offset);
    if (lane >= offset) value += before;
  }
  return value;
}

/// Thread t gets the sum of the values of threads 0 to t, and `total` that of all; every thread of the block must take part.
__device__ float block_scan(float value, float* total) {
  __shared__ float warp_sums[kWarp];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int warps = blockDim.x / kWarp;
  const float sum = warp_scan(value, lane);
  if (lane == kWarp - 1) warp_sums[warp] = sum;
  __syncthreads();  // the first warp reads what the others have stored
  if (warp == 0) {
    const float upto = warp_scan(lane < warps ? warp_sums[lane] : 0, lane);
    warp_sums[lane] = upto;
  }
  __syncthreads();  // all read what the first warp has made of it
  const float before = warp == 0 ? 0 : warp_sums[warp - 1];
  *total = warp_sums[warps - 1];
  __syncthreads();  // all have read before the next call overwrites
  return before + sum;
}

__global__ void scan_blocks(const float* x, float* out, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total;
  const float sum = block_scan(i < n ? x[i] : 0, &total);
  if (i < n) out[i] = sum;
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

/// In place, by one block.
__global__ void scan_sums(float* sums, int blocks) {
  float carry = 0;
  for (int begin = 0; begin < blocks; begin += blockDim.x) {
    const int i = begin + threadIdx.x;
    float total;
    const float sum = block_scan(i < blocks ? sums[i] : 0, &total);
    if (i < blocks) sums[i] = carry + sum;
    carry += total;
  }
}

__global__ void add_sums(float* out, const float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];
}
