//@ idea: divides by the whole window
//@ caught: values
//@ depth: r * s
//@ block: 256
//@ grid: ceil_div(p * q, block), planes

__global__ void pooling_average(const float* x, float* y, int planes, int h, int w, int r, int s,
                                int p, int q, int stride, int pad) {
  const int output = blockIdx.x * blockDim.x + threadIdx.x, plane = blockIdx.y;
  if (output >= p * q) return;
  float sum = 0;
  for (int i = 0; i < r * s; ++i) {
    const int row = output / q * stride - pad + i / s, column = output % q * stride - pad + i % s;
    if (row < 0 || row >= h || column < 0 || column >= w) continue;
    const float word = x[(plane * h + row) * w + column];
    sum += word;
  }
  y[plane * p * q + output] = sum / (r * s);
}
