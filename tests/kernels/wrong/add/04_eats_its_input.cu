//@ idea: leaves the sum in its input, too
//@ caught: input
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void add(int* x, const int* y, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] += y[i];
}
