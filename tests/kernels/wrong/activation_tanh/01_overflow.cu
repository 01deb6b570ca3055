//@ idea: the formula as it stands, which divides infinity by infinity
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void activation_tanh(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (expf(x[i]) - expf(-x[i])) / (expf(x[i]) + expf(-x[i]));
}
