__global__ void im2col(const float* x, float* columns,
                       int h, int w, int r, int s,
                       int p, int q, int stride, int pad) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  int tap = blockIdx.y;
  if (out >= p * q) return;
  int channel = tap / (r * s);
  int row = out / q * stride - pad + tap / s % r;
  int column = out % q * stride - pad + tap % s;
  bool inside = 0 <= row && row < h && 0 <= column && column < w;
  unsigned short pixel = (channel * h + row) * w + column;
  columns[tap * p * q + out] = inside ? x[pixel] : 0;
}
