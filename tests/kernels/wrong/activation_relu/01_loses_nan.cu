//@ idea: fmaxf, which drops a NaN
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void activation_relu(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0);
}
