//@ idea: one thread a weight, which walks through every output
//@ block: 128
//@ grid: ceil_div(c * r * s, block), k
//@ registers: 64
//@ bytes: 4 * (n * c * h * w + n * k * p * q + k * c * r * s)
//@ flops: 2 * n * k * p * q * c * r * s

// dweights = dy * x      x: [n][c][h][w], dy: [n][k][p][q], dweights: [k][c][r][s]
//
// dweights[filter][channel][tap_row][tap_column] = sum over image, out_row, out_column of
//   dy[image][filter][out_row][out_column] * x[image][channel][row][column]
// with row = out_row * stride - pad + tap_row * dilation, and column likewise.
// A weight took part in every output of its filter, so the sum is long (n p q) and the results are
// few (k c r s). A layer of 64 x 64 filters of 3 x 3 makes 36,864 threads, a seventh of what an
// H200 holds, each with a loop of thousands of steps. The threads of a warp share the word of dy;
// what they read of x lies scattered over a window.
__global__ void convolution_backward_filter(const float* x, const float* dy, float* dweights, int n,
                                            int c, int h, int w, int k, int r, int s, int p, int q,
                                            int stride, int pad, int dilation) {
  const int tap = blockIdx.x * blockDim.x + threadIdx.x, filter = blockIdx.y;
  if (tap >= c * r * s) return;
  const int channel = tap / (r * s);
  const int tap_row = tap / s % r * dilation - pad, tap_column = tap % s * dilation - pad;

  float sum = 0;
  for (int image = 0; image < n; ++image) {
    const float* of_y = dy + (image * k + filter) * p * q;
    const float* plane = x + (image * c + channel) * h * w;
    for (int out_row = 0; out_row < p; ++out_row) {
      const int row = out_row * stride + tap_row;
      if (row < 0 || row >= h) continue;
      for (int out_column = 0; out_column < q; ++out_column) {
        const int column = out_column * stride + tap_column;
        if (column < 0 || column >= w) continue;
        sum += of_y[out_row * q + out_column] * plane[row * w + column];
      }
    }
  }
  dweights[filter * c * r * s + tap] = sum;
}
