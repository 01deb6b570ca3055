//@ idea: one thread an element of the result, which finds its word by the strides
//@ block: 256
//@ grid: ceil_div(d0 * d1 * d2 * d3, block)
//@ registers: 40
//@ bytes: 8 * d0 * d1 * d2 * d3
//@ flops: 0

// out[i0][i1][i2][i3] = x[i0 x0 + i1 x1 + i2 x2 + i3 x3]      out: [d0][d1][d2][d3]
//
// A view is a shape and a stride for each axis: a transposed matrix has its strides swapped, a row
// that is repeated has the stride 0. This kernel makes an array of its own of one, in which
// neighbours lie side by side again. The threads of a warp store neighbours; how far apart they read
// is up to x3.

// Where the word at position i of the shape lies: i, counted along the last axis first, is taken
// apart into its four indices, and each goes as far as its stride says.
__device__ int place(int i, int d1, int d2, int d3, int s0, int s1, int s2, int s3) {
  return i / (d1 * d2 * d3) * s0 + i / (d2 * d3) % d1 * s1 + i / d3 % d2 * s2 + i % d3 * s3;
}

__global__ void strided_copy(const float* x, float* out, int d0, int d1, int d2, int d3, int x0,
                             int x1, int x2, int x3) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < d0 * d1 * d2 * d3) out[i] = x[place(i, d1, d2, d3, x0, x1, x2, x3)];
}
