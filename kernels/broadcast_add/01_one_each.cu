//@ idea: one thread an element of the result, which finds both its words by their strides
//@ block: 256
//@ grid: ceil_div(d0 * d1 * d2 * d3, block)
//@ registers: 48
//@ bytes: 4 * d0 * d1 * d2 * d3
//@ flops: d0 * d1 * d2 * d3

// out = x + y      out: [d0][d1][d2][d3]; x and y lie as their strides x0 to x3 and y0 to y3 say
//
// A bias of one row is added to every row of a matrix by giving its rows the stride 0: the row is
// repeated without being copied, and comes from the caches after its first use.

// Where the word at position i of the shape lies: i, counted along the last axis first, is taken
// apart into its four indices, and each goes as far as its stride says.
__device__ int place(int i, int d1, int d2, int d3, int s0, int s1, int s2, int s3) {
  return i / (d1 * d2 * d3) * s0 + i / (d2 * d3) % d1 * s1 + i / d3 % d2 * s2 + i % d3 * s3;
}

__global__ void broadcast_add(const float* x, const float* y, float* out, int d0, int d1, int d2,
                              int d3, int x0, int x1, int x2, int x3, int y0, int y1, int y2,
                              int y3) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= d0 * d1 * d2 * d3) return;  // the last block reaches past the end
  out[i] = x[place(i, d1, d2, d3, x0, x1, x2, x3)] + y[place(i, d1, d2, d3, y0, y1, y2, y3)];
}
