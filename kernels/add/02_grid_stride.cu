//@ idea: a grid of fixed size strides over the elements
//@ block: 256
//@ defines: BLOCKS=1056
//@ grid: min(ceil_div(n, block), BLOCKS)
//@ needs: 75
//@ registers: 40
//@ bytes: 12 * n
//@ flops: n

#ifndef BLOCKS
#define BLOCKS 1056
#endif

// out[i] = x[i] + y[i]      x, y, out: [n]
//
// As many blocks as run at once (8 on each of 132 multiprocessors), and each thread takes element after element, a whole grid
// apart, so that the lanes of a warp always touch neighbours. One launch fits every n; the bytes are those of rung 01.
__global__ void add(const int* x, const int* y, int* out, int n) {
  const int grid_threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += grid_threads) {
    out[i] = x[i] + y[i];
  }
}
