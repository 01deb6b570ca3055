//@ idea: a NaN is larger than nothing
//@ caught: values
//@ block: 256
//@ grid: ceil_div(p * q, block), planes

__global__ void pooling_max(const float* x, float* y, int* tap, int planes, int h, int w, int r,
                            int s, int p, int q, int stride, int pad) {
  const int output = blockIdx.x * blockDim.x + threadIdx.x, plane = blockIdx.y;
  if (output >= p * q) return;
  float largest = -INFINITY;
  int winner = -1;
  for (int i = 0; i < r * s; ++i) {
    const int row = output / q * stride - pad + i / s, column = output % q * stride - pad + i % s;
    if (row < 0 || row >= h || column < 0 || column >= w) continue;
    const float word = x[(plane * h + row) * w + column];
    if (winner < 0 || word > largest) largest = word, winner = i;
  }
  y[plane * p * q + output] = largest;
  tap[plane * p * q + output] = winner;
}
