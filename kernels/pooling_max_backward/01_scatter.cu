//@ idea: one thread an output adds its gradient to the word that won, atomically
//@ block: 256
//@ grid: planes, ceil_div(p * q, block)
//@ zero: dx
//@ atomics: f32
//@ registers: 40
//@ depth: ceil_div(r, stride) * ceil_div(s, stride)
//@ bytes: 4 * planes * (h * w + 2 * p * q)
//@ flops: planes * p * q

// dx = dy, where each window's winner stood      dy, tap: [planes][p][q]; dx: [planes][h][w]
//
// The forward pass kept which word of its window won (tap). Windows that overlap may have had the
// same winner, so two threads may add to one word: the additions are atomic, and their order is
// whatever it happens to be. dx must be 0 before: one more pass over it.
__global__ void pooling_max_backward(const float* dy, const int* tap, float* dx, int planes, int h,
                                     int w, int r, int s, int p, int q, int stride, int pad) {
  const int output = blockIdx.y * blockDim.x + threadIdx.x, plane = blockIdx.x;
  if (output >= p * q) return;
  const int winner = tap[plane * p * q + output];
  if (winner < 0) return;  // the window lay outside
  const int row = output / q * stride - pad + winner / s;
  const int column = output % q * stride - pad + winner % s;
  if (row < 0 || row >= h || column < 0 || column >= w) return;
  atomicAdd(dx + (plane * h + row) * w + column, dy[plane * p * q + output]);
}
