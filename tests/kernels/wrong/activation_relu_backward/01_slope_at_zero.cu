//@ idea: lets the gradient through at 0, too
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void activation_relu_backward(const float* x, const float* dy, float* dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = x[i] < 0 ? 0 : dy[i];
}
