//@ idea: each warp has bins of its own
//@ block: 256
//@ defines: BLOCKS=1056
//@ grid: min(ceil_div(n, block), BLOCKS)
//@ shared: 4 * bins * ceil_div(block, 32)
//@ zero: out
//@ needs: 75
//@ registers: 40
//@ bytes: n + 4 * bins
//@ flops: n

#ifndef BLOCKS
#define BLOCKS 1056
#endif

// x: [n], values below bins; out: [bins], which the host sets to 0
//
// Eight warps that share one set of bins get into each other's way. Shared memory has room for a set each: 8 x 256 bins of 4 bytes
// are 8 KB a block. Now only lanes of one warp can meet in a bin, and at the end eight counts become one.
//
// More copies would help still more where many lanes have the same value, and would let fewer blocks run at once: see the
// occupancy.
__global__ void histogram(const unsigned char* x, unsigned* out, int n, int bins) {
  constexpr int kWarp = 32;
  extern __shared__ unsigned counts[];  // [warps][bins]
  const int warps = (blockDim.x + kWarp - 1) / kWarp;
  for (int k = threadIdx.x; k < warps * bins; k += blockDim.x) counts[k] = 0;
  __syncthreads();  // all bins are 0 before anybody counts

  unsigned* own = counts + threadIdx.x / kWarp * bins;
  const int grid_threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += grid_threads)
    atomicAdd(&own[x[i]], 1u);
  __syncthreads();  // all have counted before the counts are read

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    unsigned sum = 0;
    for (int warp = 0; warp < warps; ++warp) sum += counts[warp * bins + bin];
    if (sum != 0) atomicAdd(&out[bin], sum);
  }
}
