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
  // Of the elements so far: the largest, and the sum of
  // exp(element - largest). It starts from the lowest finite
  // float: from -INFINITY, a masked element would subtract two
  // infinities.
  float largest = -3.402823466e38f, sum = 0;
  for (int c = lane; c < columns; c += 32) {
    float element = x[c], raised = fmaxf(largest, element);
    // The maximum rises by raised - largest: all terms so far
    // shrink by the same factor, and so does their sum.
    sum = sum * expf(largest - raised) + expf(element - raised);
    largest = raised;
  }
  // The lanes' sums belong to different maxima: the same step
  // brings them all down to the row's.
  float of_row = warp_max(largest);
  sum = warp_sum(sum * expf(largest - of_row));
  float scale = sum > 0 ? 1 / sum : 0;
  for (int c = lane; c < columns; c += 32)
    y[c] = expf(x[c] - of_row) * scale;
}
