//@ idea: copies words that lie side by side, whatever the strides say
//@ caught: values
//@ block: 256
//@ grid: ceil_div(d0 * d1 * d2 * d3, block)

__global__ void strided_copy(const float* x, float* out, int d0, int d1, int d2, int d3, int x0,
                             int x1, int x2, int x3) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int words = 1 + (d0 - 1) * x0 + (d1 - 1) * x1 + (d2 - 1) * x2 + (d3 - 1) * x3;
  if (i < d0 * d1 * d2 * d3) out[i] = x[i % words];
}
