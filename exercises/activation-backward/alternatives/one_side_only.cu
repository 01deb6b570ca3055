// f'(-x) = 1 - f'(x): only positive numbers are computed, and far out nothing is.
__global__ void gelu_backward(const float* x, const float* dy, float* dx, int n) {
  const float a = 0.79788456f, b = 0.044715f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float v = x[i], positive = fabsf(v);
    float slope = 1;
    if (positive < 10) {
      const float t = tanhf(a * (positive + b * positive * positive * positive));
      slope = 0.5f * (1 + t) * (1 + positive * (1 - t) * a * (1 + 3 * b * positive * positive));
    }
    if (v < 0) slope = 1 - slope;
    dx[i] = dy[i] * slope;
  }
}
