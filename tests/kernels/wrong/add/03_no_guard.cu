//@ idea: no guard for the threads past the end
//@ caught: bounds
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void add(const int* x, const int* y, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i] + y[i];
}
