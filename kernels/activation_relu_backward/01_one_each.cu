//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 24
//@ bytes: 12 * n
//@ flops: 1 * n

// dx = dy (x > 0 ? 1 : 0)      x, dy, dx: [n]
//
// Two words are read and one is written, 12 bytes
// an element: memory bounds it. From x rather
// than from the forward pass's y, so that y need
// not be kept.

// The slope of max(x, 0) is 1 right of 0 and 0
// left of it. At 0 it is chosen to be 0.
__device__ float relu_backward(
    float x, float dy) {
  return x <= 0 ? 0 : dy;
}

__global__ void activation_relu_backward(
    const float* x, const float* dy, float* dx,
    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = relu_backward(x[i], dy[i]);
}
