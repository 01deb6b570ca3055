//@ idea: counts without atomic additions
//@ caught: race
//@ block: 256
//@ grid: ceil_div(n, block)
//@ zero: out

__global__ void histogram(const unsigned char* x, unsigned* out, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++out[x[i]];
}
