//@ idea: stops at the last whole block
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void add(const int* x, const int* y, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 256 * 256) out[i] = x[i] + y[i];
}
