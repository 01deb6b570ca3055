//@ idea: one thread a weight; neighbouring threads take neighbouring channels, and all they read lies side by side
//@ block: 128
//@ grid: ceil_div(c, block), r * s, k
//@ registers: 64
//@ bytes: 4 * (n * c * h * w + n * k * p * q + k * c * r * s)
//@ flops: 2 * n * k * p * q * c * r * s

// dweights = dy * x      x: [n][h][w][c], dy: [n][p][q][k], dweights: [k][r][s][c]
//
// The sums of kernels/convolution_backward_filter. The threads of a warp have the same tap, so the
// same rim; the word of dy is one for all of them, and their words of x are neighbours. But as
// there the threads are few, the sums long, and with 3 channels 29 of 32 lanes idle.
__global__ void convolution_backward_filter_nhwc(const float* x, const float* dy, float* dweights,
                                                 int n, int c, int h, int w, int k, int r, int s,
                                                 int p, int q, int stride, int pad, int dilation) {
  const int channel = blockIdx.x * blockDim.x + threadIdx.x;
  const int tap = blockIdx.y, filter = blockIdx.z;
  if (channel >= c) return;
  const int tap_row = tap / s * dilation - pad, tap_column = tap % s * dilation - pad;

  float sum = 0;
  for (int image = 0; image < n; ++image) {
    for (int out_row = 0; out_row < p; ++out_row) {
      const int row = out_row * stride + tap_row;
      if (row < 0 || row >= h) continue;
      for (int out_column = 0; out_column < q; ++out_column) {
        const int column = out_column * stride + tap_column;
        if (column < 0 || column >= w) continue;
        sum += dy[((image * p + out_row) * q + out_column) * k + filter] *
               x[((image * h + row) * w + column) * c + channel];
      }
    }
  }
  dweights[(filter * r * s + tap) * c + channel] = sum;
}
