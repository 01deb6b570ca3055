//@ idea: lanes with the same value find each other, and one of them adds for all
//@ block: 256
//@ defines: BLOCKS=1056
//@ grid: min(ceil_div(n, block), BLOCKS)
//@ shared: 4 * bins
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
// The worst case of all others is the plainest picture: every value the same, 32 lanes at one address, 32 passes.
// __match_any_sync tells each lane which lanes hold what it holds; the first of them adds their number. Then a bin is
// asked at most once by a warp, and the worst data become the best.
//
// The match itself takes as long as several additions. On data that are spread evenly this rung is slower than 03: an
// optimisation for some data is a loss for others.
__global__ void histogram(const unsigned char* x, unsigned* out, int n, int bins) {
  constexpr int kWarp = 32;
  constexpr unsigned kAllLanes = 0xffffffff;
  extern __shared__ unsigned counts[];  // [bins]
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();  // all bins are 0 before anybody counts

  const int lane = threadIdx.x % kWarp;
  const int grid_threads = gridDim.x * blockDim.x;
  // Whole warps go round the loop together, also where only some of their lanes have a value left.
  for (int begin = blockIdx.x * blockDim.x + threadIdx.x - lane; begin < n; begin += grid_threads) {
    const int i = begin + lane;
    const unsigned inside = __ballot_sync(kAllLanes, i < n);
    if (i >= n) continue;
    const unsigned value = x[i];
    const unsigned peers = __match_any_sync(inside, value);
    if (lane == __ffs(peers) - 1) atomicAdd(&counts[value], static_cast<unsigned>(__popc(peers)));
  }
  __syncthreads();  // all have counted before the counts are read

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (counts[bin] != 0) atomicAdd(&out[bin], counts[bin]);
  }
}
