//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 32
//@ bytes: 12 * n
//@ flops: 4 * n

// dx = 2 (x - target) / n dloss      x, target, dx: [n], dloss: [1]
//
// The slope of a square is twice its root, and each of the n elements has one n-th of the mean.
// dloss is the gradient of the loss itself: 1 where the network ends with it.
__global__ void mean_square_error_backward(const float* x, const float* target, const float* dloss,
                                           float* dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = 2 * (x[i] - target[i]) / n * dloss[0];
}
