// columns[tap][out]: the pixel that weight `tap` meets in the
//   window of output `out`, or 0 outside the image
//   tap = (channel * r + tap_row) * s + tap_column
//   out = out_row * q + out_column
// x: [c][h][w], columns: [c * r * s][p * q]
// im2col<<<dim3(blocks, c * r * s), 128>>>(...), and then the
// book's own multiply(weights, columns, bias, y, ...).
__global__ void im2col(const float* x, float* columns,
                       int h, int w, int r, int s,
                       int p, int q, int stride, int pad) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  int tap = blockIdx.y;
  if (out >= p * q) return;
  int channel = tap / (r * s);
  int tap_row = tap / s % r, tap_column = tap % s;
  // The window's corner, which the padding moves up and to the
  // left, and from there to the tap.
  int row = out / q * stride - pad + tap_row;
  int column = out % q * stride - pad + tap_column;
  bool inside = 0 <= row && row < h &&
                0 <= column && column < w;
  // A row of the matrix has one tap and all outputs: its 32
  // neighbours are stored side by side. What lies outside is
  // stored, too: nobody cleared the matrix before.
  columns[tap * p * q + out] =
      inside ? x[(channel * h + row) * w + column] : 0;
}
