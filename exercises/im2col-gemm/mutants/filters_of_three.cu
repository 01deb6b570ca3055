__global__ void im2col(const float* x, float* columns,
                       int h, int w, int r, int s,
                       int p, int q, int stride, int pad) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  int tap = blockIdx.y;
  if (out >= p * q) return;
  int channel = tap / 9;
  int row = out / q * stride - pad + tap / 3 % 3;
  int column = out % q * stride - pad + tap % 3;
  bool inside = channel * r * s < gridDim.y && 0 <= row && row < h &&
                0 <= column && column < w;
  columns[tap * p * q + out] =
      inside ? x[(channel * h + row) * w + column] : 0;
}
