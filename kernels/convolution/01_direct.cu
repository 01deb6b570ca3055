//@ idea: one thread an output, which walks through its window
//@ block: 256
//@ grid: ceil_div(p * q, block), k, n
//@ registers: 64
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s

// y = x * weights + bias      x: [n][c][h][w], weights: [k][c][r][s], bias: [k], y: [n][k][p][q]
//
// y[image][filter][out_row][out_column] = bias[filter] + sum over channel, tap_row, tap_column of
//   weights[filter][channel][tap_row][tap_column] * x[image][channel][row][column]
// with row = out_row * stride - pad + tap_row * dilation, and column likewise.
// What lies outside the image is 0. (Strictly this is a cross-correlation, as in every library of
// the field.)
//
// A thread does c r s multiply-adds and loads two words for each: one of x, which lies beside its
// neighbours' (at stride 1), and one weight, the same for all threads of the block. Neighbouring
// windows overlap, so each word of x is loaded r s times for each filter: k r s times in all, from
// the caches if they hold it.
__global__ void convolution(const float* x, const float* weights, const float* bias, float* y,
                            int n, int c, int h, int w, int k, int r, int s, int p, int q,
                            int stride, int pad, int dilation) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int filter = blockIdx.y, image = blockIdx.z;
  if (pixel >= p * q) return;
  const int out_row = pixel / q, out_column = pixel % q;

  float sum = 0;
  for (int channel = 0; channel < c; ++channel) {
    const float* plane = x + (image * c + channel) * h * w;
    const float* taps = weights + (filter * c + channel) * r * s;
    for (int tap_row = 0; tap_row < r; ++tap_row) {
      const int row = out_row * stride - pad + tap_row * dilation;
      if (row < 0 || row >= h) continue;
      for (int tap_column = 0; tap_column < s; ++tap_column) {
        const int column = out_column * stride - pad + tap_column * dilation;
        if (column < 0 || column >= w) continue;
        sum += plane[row * w + column] * taps[tap_row * s + tap_column];
      }
    }
  }
  y[((image * k + filter) * p + out_row) * q + out_column] = sum + bias[filter];
}
