//@ idea: one thread an output; neighbouring threads take neighbouring filters, which lie beside each other in y
//@ block: 128
//@ grid: p * q, ceil_div(k, block), n
//@ registers: 64
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s

// y = x * weights + bias      x: [n][h][w][c], weights: [k][r][s][c], bias: [k], y: [n][p][q][k]
//
// The same sums as in NCHW (kernels/convolution), but the channels of a pixel are neighbours in
// memory now. The threads of a warp share a pixel: the word of x is the same for all of them, and
// what they store lies side by side. Their weights do not: they belong to 32 filters, r s c floats
// apart, 32 sectors for 32 words at each step.
__global__ void convolution_nhwc(const float* x, const float* weights, const float* bias, float* y,
                                 int n, int c, int h, int w, int k, int r, int s, int p, int q,
                                 int stride, int pad, int dilation) {
  const int filter = blockIdx.y * blockDim.x + threadIdx.x;
  const int out_row = blockIdx.x / q, out_column = blockIdx.x % q, image = blockIdx.z;
  if (filter >= k) return;

  float sum = 0;
  for (int tap_row = 0; tap_row < r; ++tap_row) {
    const int row = out_row * stride - pad + tap_row * dilation;
    if (row < 0 || row >= h) continue;
    for (int tap_column = 0; tap_column < s; ++tap_column) {
      const int column = out_column * stride - pad + tap_column * dilation;
      if (column < 0 || column >= w) continue;
      const float* pixel = x + ((image * h + row) * w + column) * c;
      const float* taps = weights + ((filter * r + tap_row) * s + tap_column) * c;
      for (int channel = 0; channel < c; ++channel) sum += pixel[channel] * taps[channel];
    }
  }
  y[((image * p + out_row) * q + out_column) * k + filter] = sum + bias[filter];
}
