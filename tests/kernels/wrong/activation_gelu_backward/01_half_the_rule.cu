//@ idea: forgets the second term of the product rule
//@ caught: values
//@ depth: 1
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void activation_gelu_backward(const float* x, const float* dy, float* dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = dy[i] * normcdff(x[i]);
}
