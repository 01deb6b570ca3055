//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 40
//@ depth: 1
//@ bytes: 12 * n
//@ flops: 50 * n

// dx = dy (P(x) + x p(x))      x, dy, dx: [n]
//
// Two words are read and one is written, 12 bytes
// an element: memory bounds it. From x rather
// than from the forward pass's y, so that y need
// not be kept.

// The slope of x P(x) is P(x) + x p(x): P is the
// normal distribution, p(x) = exp(-x^2 / 2) /
// sqrt(2 pi) its density. Beyond 15 on either
// side it is 0 or 1 in any float; stopping there
// keeps an infinity from being multiplied by 0.
__device__ float gelu_backward(
    float x, float dy) {
  const float b = x < -15 ? -15 : x > 15 ? 15 : x;
  const float density =
      0.39894228f * expf(-0.5f * b * b);
  return dy * (normcdff(b) + b * density);
}

__global__ void activation_gelu_backward(
    const float* x, const float* dy, float* dx,
    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = gelu_backward(x[i], dy[i]);
}
