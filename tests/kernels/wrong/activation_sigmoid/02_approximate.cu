//@ idea: the approximate exponential
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void activation_sigmoid(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1 / (1 + __expf(-x[i]));
}
