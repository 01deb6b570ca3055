//@ idea: leaves out what does not fill a vector
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void copy(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4 * 4) out[i] = x[i];
}
