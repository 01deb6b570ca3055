// y[row][c] = exp(x[row][c]) / (sum of the row's exp)
// x, y: [rows][columns]; a block: one warp, for one row
// Elements of x lie between -10,000 and 10,000, or are
// -INFINITY: then y is 0. A row of nothing but -INFINITY
// becomes 0. x is read twice, no more.

// Every lane brings a number, and every lane gets the
// maximum, or the sum, of all 32.
__device__ float warp_max(float mine) {
  for (int distance = 16; distance > 0; distance /= 2)
    mine = fmaxf(mine, __shfl_xor_sync(~0u, mine, distance));
  return mine;
}
__device__ float warp_sum(float mine) {
  for (int distance = 16; distance > 0; distance /= 2)
    mine += __shfl_xor_sync(~0u, mine, distance);
  return mine;
}

__global__ void softmax(const float* x, float* y,
                        int columns) {
  x += blockIdx.x * columns;
  y += blockIdx.x * columns;
  int lane = threadIdx.x;
  // first pass: maximum and sum; second pass: the quotients
}
