__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  const float a = 0.79788456f, b = 0.044715f;
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  float t = tanhf(a * (v + b * v * v * v));
  float du = a * (1 + 3 * b * v * v);
  float slope = 0.5f * (1 + t) + 0.5f * v * (1 - t * t) * du;
  dx[i] = dy[i] * slope;
}
