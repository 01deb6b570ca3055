// dx[i] = dy[i] * f'(x[i]), where f is GELU's tanh form:
//   f(x) = x / 2 * (1 + tanh(u)), u = a * (x + b * x^3)
// x, dy, dx: [n]
__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  const float a = 0.79788456f, b = 0.044715f;
  // x[i] and dy[i] in, the chain rule, dx[i] out
}
