//@ idea: 1 - tanh^2, which cancels digits
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void activation_tanh_backward(const float* x, const float* dy, float* dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = dy[i] * (1 - tanhf(x[i]) * tanhf(x[i]));
}
