//@ idea: each block counts in shared memory, and adds its counts to the bins at the end
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
// Shared memory is near, and only one block uses it: 132 multiprocessors count in 132 places at once. The grid is fixed, so that
// each block counts many values before it has to add its bins to those of all: 1,056 x 256 atomic additions to global memory,
// whatever n is.
__global__ void histogram(const unsigned char* x, unsigned* out, int n, int bins) {
  extern __shared__ unsigned counts[];  // [bins]
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();  // all bins are 0 before anybody counts

  const int grid_threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += grid_threads)
    atomicAdd(&counts[x[i]], 1u);
  __syncthreads();  // all have counted before the counts are read

  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (counts[bin] != 0) atomicAdd(&out[bin], counts[bin]);
  }
}
