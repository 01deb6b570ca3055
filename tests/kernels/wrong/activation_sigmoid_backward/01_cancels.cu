//@ idea: s (1 - s), which cancels digits
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void activation_sigmoid_backward(const float* x, const float* dy, float* dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = dy[i] * (1 / (1 + expf(-x[i]))) * (1 - 1 / (1 + expf(-x[i])));
}
