//@ idea: gives another sum where the output happened to hold 0
//@ caught: repeat
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void add(const int* x, const int* y, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i] + (out[i] == 0);
}
