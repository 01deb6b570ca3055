//@ idea: bins of its own for each warp, and sixteen values a load
//@ block: 256
//@ defines: BLOCKS=1056
//@ grid: max(1, min(ceil_div(n, 16 * block), BLOCKS)) * min(n, 1)
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
// In the rungs before, a thread loads one byte: a warp asks for 32 bytes, a single sector, and as many load instructions as
// values go through the machine. One uint4 brings 16 values; what is left to do for each of them is a shift, a mask and
// an addition in shared memory.
__global__ void histogram(const unsigned char* x, unsigned* out, int n, int bins) {
  constexpr int kWarp = 32;
  constexpr int kVector = 16;  // bytes of a uint4
  extern __shared__ unsigned counts[];  // [warps][bins]
  const int warps = (blockDim.x + kWarp - 1) / kWarp;
  for (int k = threadIdx.x; k < warps * bins; k += blockDim.x) counts[k] = 0;
  __syncthreads();  // all bins are 0 before anybody counts

  unsigned* own = counts + threadIdx.x / kWarp * bins;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int grid_threads = gridDim.x * blockDim.x;
  // Up to the first address that is a multiple of 16, and after the last, there are 15 values at most.
  const unsigned long long address = reinterpret_cast<unsigned long long>(x);
  const int head = min(n, static_cast<int>((kVector - address % kVector) % kVector));
  const int vectors = (n - head) / kVector;
  const int tail = head + vectors * kVector;
  const uint4* x16 = reinterpret_cast<const uint4*>(x + head);

  for (int v = thread; v < vectors; v += grid_threads) {
    const uint4 values = x16[v];
    for (const unsigned word : {values.x, values.y, values.z, values.w}) {
      for (int shift = 0; shift < 32; shift += 8) atomicAdd(&own[(word >> shift) & 0xff], 1u);
    }
  }
  if (thread < head) atomicAdd(&own[x[thread]], 1u);
  if (thread < n - tail) atomicAdd(&own[x[tail + thread]], 1u);
  __syncthreads();  // all have counted before the counts are read

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    unsigned sum = 0;
    for (int warp = 0; warp < warps; ++warp) sum += counts[warp * bins + bin];
    if (sum != 0) atomicAdd(&out[bin], sum);
  }
}
