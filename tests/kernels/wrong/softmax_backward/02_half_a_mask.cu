//@ idea: names half of the lanes in its shuffles
//@ caught: barrier
//@ depth: columns + 2
//@ block: 32
//@ grid: rows

__global__ void softmax_backward(const float* y, const float* dy, float* dx, int rows,
                                 int columns) {
  const int lane = threadIdx.x, row = blockIdx.x;
  float dot = 0;
  for (int i = lane; i < columns; i += 32) dot += y[row * columns + i] * dy[row * columns + i];
  for (int distance = 16; distance > 0; distance /= 2)
    dot += __shfl_xor_sync(0x0000ffff, dot, distance);
  for (int i = lane; i < columns; i += 32)
    dx[row * columns + i] = y[row * columns + i] * (dy[row * columns + i] - dot);
}
