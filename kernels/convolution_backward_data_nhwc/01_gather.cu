//@ idea: one thread an element of dx; neighbouring threads take neighbouring channels, and all they read lies side by side
//@ block: 128
//@ grid: h * w, ceil_div(c, block), n
//@ registers: 72
//@ bytes: 4 * (n * k * p * q + k * c * r * s + n * c * h * w)
//@ flops: 2 * n * k * p * q * c * r * s

// dx = dy * weights, transposed      dy: [n][p][q][k], weights: [k][r][s][c], dx: [n][h][w][c]
//
// The sums of kernels/convolution_backward_data. In this layout the threads of a warp share the
// pixel, and with it all questions of stride and rim: they never part. The word of dy is one for
// all of them, and their weights are neighbours.
__global__ void convolution_backward_data_nhwc(const float* dy, const float* weights, float* dx,
                                               int n, int c, int h, int w, int k, int r, int s,
                                               int p, int q, int stride, int pad, int dilation) {
  const int channel = blockIdx.y * blockDim.x + threadIdx.x;
  const int row = blockIdx.x / w, column = blockIdx.x % w, image = blockIdx.z;
  if (channel >= c) return;

  float sum = 0;
  for (int tap_row = 0; tap_row < r; ++tap_row) {
    const int from_row = row + pad - tap_row * dilation, out_row = from_row / stride;
    if (from_row < 0 || from_row % stride != 0 || out_row >= p) continue;
    for (int tap_column = 0; tap_column < s; ++tap_column) {
      const int from_column = column + pad - tap_column * dilation;
      const int out_column = from_column / stride;
      if (from_column < 0 || from_column % stride != 0 || out_column >= q) continue;
      const float* of_y = dy + ((image * p + out_row) * q + out_column) * k;
      for (int filter = 0; filter < k; ++filter) {
        sum += of_y[filter] * weights[((filter * r + tap_row) * s + tap_column) * c + channel];
      }
    }
  }
  dx[((image * h + row) * w + column) * c + channel] = sum;
}
