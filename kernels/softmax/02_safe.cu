//@ idea: subtract the row's maximum first, so that no exponential overflows
//@ block: 128
//@ grid: ceil_div(rows, block)
//@ registers: 48
//@ bytes: 8 * rows * columns
//@ flops: 5 * rows * columns

// y = exp(x - max) /
//     (sum of the row's exp(x - max))
// x, y: [rows][columns]
//
// Numerator and denominator are both divided by
// exp(max): the quotient is the same, every
// exponential is at most 1 and one of them is 1,
// so that the sum is neither infinite nor 0. The
// price is a third pass: 16 bytes an element.
//
// A word of minus infinity (masked out) becomes
// 0. The maximum starts from the lowest finite
// float rather than from minus infinity, so that
// the difference of two infinities, which is no
// number, never arises.
constexpr float kLowest = -3.402823466e38f;

__global__ void softmax(
    const float* x, float* y, int rows,
    int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  x += row * columns;
  y += row * columns;

  float maximum = kLowest;
  for (int c = 0; c < columns; ++c)
    maximum = fmaxf(maximum, x[c]);
  float sum = 0;
  for (int c = 0; c < columns; ++c)
    sum += expf(x[c] - maximum);
  for (int c = 0; c < columns; ++c)
    y[c] = expf(x[c] - maximum) / sum;
}
