// y[row][c] = exp(x[row][c]) / (sum of the row's exp)
// x, y: [rows][columns]; a block: one warp, for one row
// Elements of x lie between -10,000 and 10,000, or are
// -INFINITY: then y is 0. A row of nothing but -INFINITY
// becomes 0.

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
  // A row has at least one column, with which lane 0 begins.
  float largest = lane == 0 ? x[0] : -INFINITY;
  for (int c = lane == 0 ? 32 : lane; c < columns; c += 32)
    largest = fmaxf(largest, x[c]);
  largest = warp_max(largest);
  // Nothing but -INFINITY: the difference of two infinities
  // would be NaN. With 0 every term is exp(-INFINITY) = 0.
  if (largest == -INFINITY) largest = 0;
  // Dividing all terms by exp(largest) leaves the quotients as
  // they are. Now no term is above 1, and one of them is 1: no
  // infinity, and no division by 0.
  float sum = 0;
  for (int c = lane; c < columns; c += 32)
    sum += expf(x[c] - largest);
  sum = warp_sum(sum);
  float scale = sum > 0 ? 1 / sum : 0;
  for (int c = lane; c < columns; c += 32)
    y[c] = expf(x[c] - largest) * scale;
}
