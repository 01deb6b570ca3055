//@ idea: one thread an output adds its share to every word of its window, atomically
//@ block: 256
//@ grid: planes, ceil_div(p * q, block)
//@ zero: dx
//@ atomics: f32
//@ registers: 40
//@ depth: ceil_div(r, stride) * ceil_div(s, stride) + 1
//@ bytes: 4 * planes * (h * w + p * q)
//@ flops: planes * p * q * r * s

// dx = the sum of dy / count over the windows that cover a word
// dy: [planes][p][q], dx: [planes][h][w]
//
// Each of a window's words had the same part in its average, one in count, and gets that part of
// the gradient. Windows that overlap add to the same words: atomic additions, in whatever order, to
// a dx that must be 0 before.
__global__ void pooling_average_backward(const float* dy, float* dx, int planes, int h, int w,
                                         int r, int s, int p, int q, int stride, int pad) {
  const int output = blockIdx.y * blockDim.x + threadIdx.x, plane = blockIdx.x;
  if (output >= p * q) return;
  const int corner_row = output / q * stride - pad, corner_column = output % q * stride - pad;
  const int first_row = max(corner_row, 0), end_row = min(corner_row + r, h);
  const int first_column = max(corner_column, 0), end_column = min(corner_column + s, w);
  const int count = (end_row - first_row) * (end_column - first_column);

  const float share = dy[plane * p * q + output] / count;  // unused where there is nobody to share
  for (int row = first_row; row < end_row; ++row) {
    for (int column = first_column; column < end_column; ++column) {
      atomicAdd(dx + (plane * h + row) * w + column, share);
    }
  }
}
