__global__ void im2col(const float* x, float* columns,
                       int h, int w, int r, int s,
                       int p, int q, int stride, int pad) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  int tap = blockIdx.y;
  if (out >= p * q) return;
  int channel = tap / (r * s);
  int tap_row = tap / s % r, tap_column = tap % s;
  int row = tap_row - pad, column = tap_column - pad, left = q;
  for (int i = 0; i < out; ++i) {
    column += stride;
    if (--left == 0) {
      left = q;
      column = tap_column - pad;
      row += stride;
    }
  }
  bool inside = 0 <= row && row < h &&
                0 <= column && column < w;
  columns[tap * p * q + out] =
      inside ? x[(channel * h + row) * w + column] : 0;
}
