__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  float below = 0.5f * (1 + erff(0.70710678f * v));
  float density = 0.39894228f * expf(-0.5f * v * v);
  dx[i] = dy[i] * (below + v * density);
}
