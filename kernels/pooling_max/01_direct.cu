//@ idea: one thread an output, which walks through its window
//@ block: 256
//@ grid: planes, ceil_div(p * q, block)
//@ registers: 40
//@ bytes: 4 * planes * (h * w + 2 * p * q)
//@ flops: planes * p * q * r * s

// y = the largest word of each window, tap = which one it was
// x: [planes][h][w]; y, tap: [planes][p][q]
//
// A plane is one channel of one image; no plane knows of another. The window of output (out_row,
// out_column) has its corner at (out_row * stride - pad, out_column * stride - pad) and r x s
// words; what lies outside the image does not take part. tap counts along the window's rows
// (tap_row * s + tap_column): the first of the largest, for the backward pass to send the gradient
// there. A NaN counts as largest, so that it does not vanish. A window that lies wholly outside has
// minus infinity, and tap -1.
//
// At stride 2 with windows of 2 x 2 every word of x is read once: 4 bytes in for each comparison,
// and 8 out for each 4 words. Memory bounds it; windows that overlap read from the caches what
// their neighbours have read.
__global__ void pooling_max(const float* x, float* y, int* tap, int planes, int h, int w, int r,
                            int s, int p, int q, int stride, int pad) {
  const int output = blockIdx.y * blockDim.x + threadIdx.x, plane = blockIdx.x;
  if (output >= p * q) return;
  const int first_row = output / q * stride - pad, first_column = output % q * stride - pad;

  float largest = -INFINITY;
  int winner = -1;
  for (int tap_row = 0; tap_row < r; ++tap_row) {
    const int row = first_row + tap_row;
    if (row < 0 || row >= h) continue;
    for (int tap_column = 0; tap_column < s; ++tap_column) {
      const int column = first_column + tap_column;
      if (column < 0 || column >= w) continue;
      const float word = x[(plane * h + row) * w + column];
      if (winner < 0 || word > largest || isnan(word)) {
        largest = word;
        winner = tap_row * s + tap_column;
      }
    }
  }
  y[plane * p * q + output] = largest;
  tap[plane * p * q + output] = winner;
}
