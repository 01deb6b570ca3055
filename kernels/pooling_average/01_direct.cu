//@ idea: one thread an output, which adds up its window
//@ block: 256
//@ grid: planes, ceil_div(p * q, block)
//@ registers: 56
//@ depth: r * s
//@ bytes: 4 * planes * (h * w + p * q)
//@ flops: planes * p * q * r * s

// y = the average of each window's words      x: [planes][h][w], y: [planes][p][q]
//
// The window of output (out_row, out_column) has its corner at (out_row * stride - pad, out_column
// * stride - pad) and r x s words. The average is over those that lie in the image: padding is not
// counted. A window that lies wholly outside has 0. As for the maximum, memory bounds it: 4 bytes
// in for each addition, at the most.
__global__ void pooling_average(const float* x, float* y, int planes, int h, int w, int r, int s,
                                int p, int q, int stride, int pad) {
  const int output = blockIdx.y * blockDim.x + threadIdx.x, plane = blockIdx.x;
  if (output >= p * q) return;
  // The part of the window that lies in the image.
  const int corner_row = output / q * stride - pad, corner_column = output % q * stride - pad;
  const int first_row = max(corner_row, 0), end_row = min(corner_row + r, h);
  const int first_column = max(corner_column, 0), end_column = min(corner_column + s, w);

  float sum = 0;
  for (int row = first_row; row < end_row; ++row) {
    for (int column = first_column; column < end_column; ++column) {
      sum += x[(plane * h + row) * w + column];
    }
  }
  const int count = max(end_row - first_row, 0) * max(end_column - first_column, 0);
  y[plane * p * q + output] = count > 0 ? sum / count : 0;
}
