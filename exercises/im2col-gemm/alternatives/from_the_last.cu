// Taps and outputs from the last to the first. A negative number is a very large one without its
// sign.
__global__ void im2col(const float* x, float* columns,
                       int h, int w, int r, int s,
                       int p, int q, int stride, int pad) {
  const int blocks = (p * q + blockDim.x - 1) / blockDim.x;
  if (blockIdx.x >= blocks) return;
  const int out = (blocks - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  const int tap = gridDim.y - 1 - blockIdx.y;
  if (out >= p * q) return;
  const int out_row = out / q, out_column = out - out_row * q;
  const int line = tap / s;  // the number of a filter's row, over all channels
  const unsigned row = out_row * stride + line % r - pad;
  const unsigned column = out_column * stride + tap % s - pad;
  const float* channel = x + line / r * h * w;
  float pixel = 0;
  if (row < h && column < w) pixel = channel[row * w + column];
  columns[tap * p * q + out] = pixel;
}
