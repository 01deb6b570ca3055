//@ idea: the gradient of the sum, not of the mean
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void mean_square_error_backward(const float* x, const float* target, const float* dloss,
                                           float* dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = 2 * (x[i] - target[i]) * dloss[0];
}
