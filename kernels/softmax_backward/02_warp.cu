//@ idea: one warp a row: neighbouring lanes read neighbouring words, and shuffles add up the dot product
//@ defines: WARPS=4
//@ block: 32, WARPS
//@ grid: ceil_div(rows, WARPS)
//@ registers: 56
//@ depth: ceil_div(columns, 32) + 7
//@ bytes: 12 * rows * columns
//@ flops: 4 * rows * columns

// dx = y (dy - dot)      y, dy, dx: [rows][columns], dot = sum of the row's y dy
//
// As in the forward pass: each access of the warp is 128 bytes side by side, and the second reading
// of y and dy comes from the caches, so that DRAM sees 12 bytes an element.
#ifndef WARPS
#define WARPS 4  // rows a block
#endif

__global__ void softmax_backward(const float* y, const float* dy, float* dx, int rows,
                                 int columns) {
  const int lane = threadIdx.x, row = blockIdx.x * WARPS + threadIdx.y;
  if (row >= rows) return;  // the whole warp: the shuffles below miss nobody
  y += row * columns;
  dy += row * columns;
  dx += row * columns;

  float dot = 0;
  for (int column = lane; column < columns; column += 32) dot += y[column] * dy[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    dot += __shfl_xor_sync(0xffffffff, dot, distance);
  }
  for (int column = lane; column < columns; column += 32) {
    dx[column] = y[column] * (dy[column] - dot);
  }
}
