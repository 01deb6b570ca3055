// dx = dy times the slope of x (1 + tanh(u)) / 2
// x, dy, dx: [n]
//
// With t = tanh(u) it is
//     (1 + t) / 2 + x (1 - t^2) u' / 2,
// u' = sqrt(2 / pi) (1 + 3 0.044715 x^2).
__device__ float gelu_tanh_backward(
    float x, float dy) {
  // Beyond 15 the slope is 0 or 1 in any float;
  // no infinity is multiplied by 0.
  const float b = x < -15 ? -15 : x > 15 ? 15 : x;
  const float c = 0.044715f * b * b;
  const float t = tanhf(0.79788456f * b * (1 + c));
  const float inner = 0.79788456f * (1 + 3 * c);
  const float bend = (1 - t * t) * inner;
  return dy * (0.5f * (1 + t) + 0.5f * b * bend);
}

__global__ void activation_gelu_tanh_backward(
    const float* x, const float* dy, float* dx,
    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  dx[i] = gelu_tanh_backward(x[i], dy[i]);
}
