//@ idea: one thread a word of x collects its shares from the windows that cover it
//@ block: 256
//@ grid: planes, ceil_div(h * w, block)
//@ registers: 48
//@ depth: ceil_div(r, stride) * ceil_div(s, stride) + 1
//@ bytes: 4 * planes * (h * w + p * q)
//@ flops: planes * p * q * r * s

// dx = the sum of dy / count over the windows that cover a word
// dy: [planes][p][q], dx: [planes][h][w]
//
// The windows that cover a word are those whose corners lie up to r - 1 rows above it and s - 1
// columns to its left: at most ceil(r / stride) x ceil(s / stride). No atomics, no clearing, the
// same bits in every run. The price is that a window's count is worked out by each of its words.
__global__ void pooling_average_backward(const float* dy, float* dx, int planes, int h, int w,
                                         int r, int s, int p, int q, int stride, int pad) {
  const int pixel = blockIdx.y * blockDim.x + threadIdx.x, plane = blockIdx.x;
  if (pixel >= h * w) return;
  const int row = pixel / w, column = pixel % w;

  // The last window that begins at or above this row, and back while windows reach down to it.
  float sum = 0;
  for (int out_row = min((row + pad) / stride, p - 1);
       out_row >= 0 && out_row * stride - pad + r > row; --out_row) {
    const int corner_row = out_row * stride - pad;
    const int rows = min(corner_row + r, h) - max(corner_row, 0);
    for (int out_column = min((column + pad) / stride, q - 1);
         out_column >= 0 && out_column * stride - pad + s > column; --out_column) {
      const int corner_column = out_column * stride - pad;
      const int columns = min(corner_column + s, w) - max(corner_column, 0);
      sum += dy[(plane * p + out_row) * q + out_column] / (rows * columns);
    }
  }
  dx[plane * h * w + pixel] = sum;
}
