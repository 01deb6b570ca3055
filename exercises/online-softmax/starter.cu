// y[row][c] = exp(x[row][c]) / (sum of the row's exp)
// x, y: [rows][columns]; a block: one warp, for one row
// Elements of x: -10,000 to 10,000, or -INFINITY, whose y is
// 0. A row of nothing but -INFINITY: all 0. x is read twice,
// no more.

// The largest and the sum of what the 32 lanes bring, for
// each of them
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
