//@ idea: maximum and sum in one pass: when the maximum grows, the sum so far is scaled down to it
//@ block: 128
//@ grid: ceil_div(rows, block)
//@ registers: 48
//@ bytes: 8 * rows * columns
//@ flops: 6 * rows * columns

// y = exp(x - max) /
//     (sum of the row's exp(x - max))
// x, y: [rows][columns]
//
// Of the words seen so far, keep their maximum
// and the sum of exp(word - maximum). A new word
// may raise the maximum by some d; then every
// term of the sum must shrink by exp(-d), and so
// the sum does, in one multiplication. (Milakov
// and Gimelshein, "Online normalizer calculation
// for softmax", 2018. Flash attention stands on
// the same step.)
//
// Two passes again, 12 bytes an element, and
// safe. The pattern of accesses is still the
// worst there is.

// Finite: two infinities are never subtracted.
constexpr float kLowest = -3.402823466e38f;

__global__ void softmax(
    const float* x, float* y, int rows,
    int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  x += row * columns;
  y += row * columns;

  float maximum = kLowest, sum = 0;
  for (int c = 0; c < columns; ++c) {
    const float raised = fmaxf(maximum, x[c]);
    sum = sum * expf(maximum - raised) +
          expf(x[c] - raised);
    maximum = raised;
  }
  for (int c = 0; c < columns; ++c)
    y[c] = expf(x[c] - maximum) / sum;
}
