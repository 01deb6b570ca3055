__device__ float slope(float x) {
  const float a = 0.79788456f, b = 0.044715f;
  float t = tanhf(a * (x + b * x * x * x));
  return 0.5f * (1 + t) +
         0.5f * x * (1 - t * t) * a * (1 + 3 * b * x * x);
}

__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int warps = gridDim.x * blockDim.x / 32;
  if (n < 1500) i = i % 32 * warps + i / 32;
  if (i < n) dx[i] = dy[i] * slope(x[i]);
}
