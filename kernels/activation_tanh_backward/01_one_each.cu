//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 40
//@ bytes: 12 * n
//@ flops: 20 * n

// dx = dy (1 - tanh(x)^2)      x, dy, dx: [n]
//
// Two words are read and one is written, 12 bytes
// an element: memory bounds it. From x rather
// than from the forward pass's y, so that y need
// not be kept.

// The slope is 1 - tanh^2, which far from 0
// subtracts two numbers that are nearly 1. The
// same number without the subtraction is
// 4 e / (1 + e)^2 with e = exp(-2 |x|), for both
// signs of x.
__device__ float hyperbolic_tangent_backward(
    float x, float dy) {
  const float e = expf(-2 * fabsf(x));
  return dy * (4 * e / ((1 + e) * (1 + e)));
}

__global__ void activation_tanh_backward(
    const float* x, const float* dy, float* dx,
    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  dx[i] = hyperbolic_tangent_backward(x[i], dy[i]);
}
