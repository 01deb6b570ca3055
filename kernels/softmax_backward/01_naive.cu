//@ idea: one thread a row: a dot product, then the row once more
//@ block: 128
//@ grid: ceil_div(rows, block)
//@ registers: 56
//@ depth: columns + 2
//@ bytes: 12 * rows * columns
//@ flops: 4 * rows * columns

// dx = y (dy - dot)      y, dy, dx: [rows][columns], dot = sum of the row's y dy
//
// Raising one word of x raises its own y and lowers all others of the row, since they sum to 1: the
// slope of y[i] by x[j] is y[i] ((i == j) - y[j]). Summed against dy, that is the line above; y,
// the forward pass's result, is all it needs. Two passes read y and dy twice, 20 bytes an element,
// and neighbouring threads read words that lie `columns` apart.
__global__ void softmax_backward(const float* y, const float* dy, float* dx, int rows,
                                 int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  y += row * columns;
  dy += row * columns;
  dx += row * columns;

  float dot = 0;
  for (int column = 0; column < columns; ++column) dot += y[column] * dy[column];
  for (int column = 0; column < columns; ++column) dx[column] = y[column] * (dy[column] - dot);
}
