//@ idea: the form with tanh, which is another function
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void activation_gelu(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 0.5f * x[i] * (1 + tanhf(0.79788456f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}
