__device__ float fast_tanh(float u) {
  float t;
  asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(u));
  return t;
}

__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  const float a = 0.79788456f, b = 0.044715f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  float t = fast_tanh(a * (v + b * v * v * v));
  float du = a * (1 + 3 * b * v * v);
  dx[i] = dy[i] * (0.5f * (1 + t) + 0.5f * v * (1 - t * t) * du);
}
