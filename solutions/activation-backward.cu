// dx[i] = dy[i] * f'(x[i]), where f is GELU's tanh form:
//   f(x) = x / 2 * (1 + tanh(u)), u = a * (x + b * x^3)
// x, dy, dx: [n]
__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  const float a = 0.79788456f, b = 0.044715f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  // tanhf never overflows: far out it is 1 or -1, and 1 - t * t
  // is 0, so that large elements keep nothing but dy or 0.
  float t = tanhf(a * (v + b * v * v * v));
  float du = a * (1 + 3 * b * v * v);
  // The product rule for x / 2 times 1 + t, the chain rule for
  // t: its slope is 1 - t^2 times the slope of u.
  float slope = 0.5f * (1 + t) + 0.5f * v * (1 - t * t) * du;
  // What was computed on the way stays in registers: two floats
  // in, one out.
  dx[i] = dy[i] * slope;
}
