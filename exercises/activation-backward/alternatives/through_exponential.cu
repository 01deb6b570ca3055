// tanh from one exponential, in the form that does not overflow.
__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  const float a = 0.79788456f, b = 0.044715f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i], g = dy[i];
  float u = a * v * (1 + b * v * v);
  float t = 1 - 2 / (1 + expf(2 * u));
  dx[i] = g * 0.5f * (1 + t + v * (1 - t * t) * a * fmaf(3 * b * v, v, 1.0f));
}
