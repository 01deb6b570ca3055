//@ idea: one thread an element of dx, which gathers from every output whose window covers it
//@ block: 256
//@ grid: ceil_div(h * w, block), c, n
//@ registers: 64
//@ bytes: 4 * (n * k * p * q + k * c * r * s + n * c * h * w)
//@ flops: 2 * n * k * p * q * c * r * s

// dx = dy * weights, transposed      dy: [n][k][p][q], weights: [k][c][r][s], dx: [n][c][h][w]
//
// Forward, output (out_row, out_column) saw x at row = out_row stride - pad + tap_row dilation. So
// dx at that row collects
//   dy[image][filter][out_row][out_column] * weights[filter][channel][tap_row][tap_column]
// from all who saw it. One could run through the outputs and add to dx where they looked, but
// neighbouring windows overlap and the threads would need atomics. Seen from dx it is a sum like
// any other: for each tap, the output that saw this element through it is (row + pad - tap_row
// dilation) / stride, if that divides without rest and exists.
__global__ void convolution_backward_data(const float* dy, const float* weights, float* dx, int n,
                                          int c, int h, int w, int k, int r, int s, int p, int q,
                                          int stride, int pad, int dilation) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int channel = blockIdx.y, image = blockIdx.z;
  if (pixel >= h * w) return;
  const int row = pixel / w, column = pixel % w;

  float sum = 0;
  for (int tap_row = 0; tap_row < r; ++tap_row) {
    const int from_row = row + pad - tap_row * dilation, out_row = from_row / stride;
    if (from_row < 0 || from_row % stride != 0 || out_row >= p) continue;
    for (int tap_column = 0; tap_column < s; ++tap_column) {
      const int from_column = column + pad - tap_column * dilation;
      const int out_column = from_column / stride;
      if (from_column < 0 || from_column % stride != 0 || out_column >= q) continue;
      for (int filter = 0; filter < k; ++filter) {
        sum += dy[((image * k + filter) * p + out_row) * q + out_column] *
               weights[((filter * c + channel) * r + tap_row) * s + tap_column];
      }
    }
  }
  dx[(image * c + channel) * h * w + pixel] = sum;
}
