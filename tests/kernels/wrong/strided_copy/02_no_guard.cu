//@ idea: forgets that the last block reaches past the end
//@ caught: bounds
//@ block: 256
//@ grid: ceil_div(d0 * d1 * d2 * d3, block)

__global__ void strided_copy(const float* x, float* out, int d0, int d1, int d2, int d3, int x0,
                             int x1, int x2, int x3) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i / (d1 * d2 * d3) * x0 + i / (d2 * d3) % d1 * x1 + i / d3 % d2 * x2 + i % d3 * x3];
}
