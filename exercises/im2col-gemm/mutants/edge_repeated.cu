__global__ void im2col(const float* x, float* columns,
                       int h, int w, int r, int s,
                       int p, int q, int stride, int pad) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  int tap = blockIdx.y;
  if (out >= p * q) return;
  int channel = tap / (r * s);
  int row = out / q * stride - pad + tap / s % r;
  int column = out % q * stride - pad + tap % s;
  row = min(max(row, 0), h - 1);
  column = min(max(column, 0), w - 1);
  columns[tap * p * q + out] = x[(channel * h + row) * w + column];
}
