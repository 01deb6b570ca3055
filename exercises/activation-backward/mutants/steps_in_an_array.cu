__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  const float a = 0.79788456f, b = 0.044715f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float step[4];
  float v = x[i];
  step[0] = a * (v + b * v * v * v);
  step[1] = tanhf(step[0]);
  step[2] = a * (1 + 3 * b * v * v);
  step[3] = step[2] * (1 - step[1] * step[1]);
#pragma unroll 1
  for (int k = 0; k < 4; ++k) step[k] *= k == 1 ? 1.0f : 0.5f;
  dx[i] = dy[i] * (0.5f * (1 + step[1]) + v * step[3]);
}
