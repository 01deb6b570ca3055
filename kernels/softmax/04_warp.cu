//@ idea: one warp a row: neighbouring lanes read neighbouring words, and shuffles bring their results together
//@ defines: WARPS=4
//@ block: 32, WARPS
//@ grid: ceil_div(rows, WARPS)
//@ registers: 40
//@ bytes: 8 * rows * columns
//@ flops: 6 * rows * columns

// y = exp(x - max) / (sum of the row's exp(x - max))      x, y: [rows][columns]
//
// Lane 0 takes columns 0, 32, 64, ..., lane 1 takes 1, 33, 65, ...: each access of the warp is 128
// bytes side by side. Every lane runs the online pass over its own words; then five rounds of
// shuffles give all lanes the maximum of the row, and five more the sum of the lanes' sums, each
// scaled to that maximum first.
//
// The second pass reads the row again, from the L2 cache if not from L1: rows of some thousand
// words were there just now. So DRAM sees 8 bytes an element, what a copy moves.
#ifndef WARPS
#define WARPS 4  // rows a block
#endif
constexpr unsigned kAllLanes = 0xffffffff;
constexpr float kLowest = -3.402823466e38f;  // finite: two infinities are never subtracted

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const int lane = threadIdx.x, row = blockIdx.x * WARPS + threadIdx.y;
  if (row >= rows) return;  // the whole warp: the shuffles below miss nobody
  x += row * columns;
  y += row * columns;

  float maximum = kLowest, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    const float raised = fmaxf(maximum, x[column]);
    sum = sum * expf(maximum - raised) + expf(x[column] - raised);
    maximum = raised;
  }

  float of_row = maximum;
  for (int distance = 16; distance > 0; distance /= 2) {
    of_row = fmaxf(of_row, __shfl_xor_sync(kAllLanes, of_row, distance));
  }
  sum *= expf(maximum - of_row);  // a lane without words has a sum of 0, and keeps it
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(kAllLanes, sum, distance);
  }
  for (int column = lane; column < columns; column += 32)
    y[column] = expf(x[column] - of_row) / sum;
}
