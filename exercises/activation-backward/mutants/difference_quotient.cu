__device__ float gelu(float v) {
  return 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
}

__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float h = 0.0078125f;
  dx[i] = dy[i] * (gelu(x[i] + h) - gelu(x[i] - h)) / (2 * h);
}
