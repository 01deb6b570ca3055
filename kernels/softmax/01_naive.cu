//@ idea: the formula as it stands, one thread a row
//@ block: 128
//@ grid: ceil_div(rows, block)
//@ registers: 56
//@ bytes: 8 * rows * columns
//@ flops: 4 * rows * columns

// y = exp(x) / (sum of the row's exp(x))
// x, y: [rows][columns]
//
// Two passes over the row: one sums, one divides.
// x is read twice and y written once, 12 bytes an
// element where 8 would do. And the threads of a
// warp walk down 32 rows at a time, `columns`
// words apart: each 4 bytes cost a sector of 32.
//
// It is wrong for large x: exp(89) is infinite in
// a float, and infinity by infinity is no number.
__global__ void softmax(
    const float* x, float* y, int rows,
    int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  x += row * columns;
  y += row * columns;

  float sum = 0;
  for (int c = 0; c < columns; ++c)
    sum += expf(x[c]);
  for (int c = 0; c < columns; ++c)
    y[c] = expf(x[c]) / sum;
}
