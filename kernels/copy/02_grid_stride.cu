//@ idea: a grid of fixed size strides over the elements
//@ block: 256
//@ defines: BLOCKS=1056
//@ grid: min(ceil_div(n, block), BLOCKS)
//@ needs: 75
//@ registers: 40
//@ bytes: 8 * n
//@ flops: 0

#ifndef BLOCKS
#define BLOCKS 1056
#endif

// x, out: [n]
//
// 2^28 elements are a million blocks of 256 threads, each of which lives for one load and one store. Here the blocks are as many as
// run at once (8 on each of 132 multiprocessors) and stay: each thread takes the element that is a whole grid further on, so
// that a warp's 32 lanes always ask for 32 neighbours.
//
// The bytes are the same. What is saved is the starting of blocks; what is gained is that one launch fits every size, also
// beyond the largest grid. A loop has a price too: a thread waits for its load before it asks for the next, unless the compiler
// unrolls (it does, by 4, which is why this rung has more registers).
__global__ void copy(const float* x, float* out, int n) {
  const int grid_threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += grid_threads) out[i] = x[i];
}
