//@ idea: writes the element before its own as well
//@ caught: canary
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void add(const int* x, const int* y, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i];
  if (i == 0 && n == 1023) out[-1] = 0;
}
