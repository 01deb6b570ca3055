//@ idea: takes y's strides for x's
//@ caught: values
//@ block: 256
//@ grid: ceil_div(d0 * d1 * d2 * d3, block)

__global__ void broadcast_multiply(const float* x, const float* y, float* out, int d0, int d1, int d2,
                                   int d3, int x0, int x1, int x2, int x3, int y0, int y1, int y2,
                                   int y3) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= d0 * d1 * d2 * d3) return;
  const int words = 1 + (d0 - 1) * y0 + (d1 - 1) * y1 + (d2 - 1) * y2 + (d3 - 1) * y3;
  const int at = i / (d1 * d2 * d3) * x0 + i / (d2 * d3) % d1 * x1 + i / d3 % d2 * x2 + i % d3 * x3;
  out[i] = x[at] * y[at % words];
}
