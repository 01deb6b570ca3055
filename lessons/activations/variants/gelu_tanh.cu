// y = x (1 + tanh(u)) / 2,
//     u = sqrt(2 / pi) (x + 0.044715 x^3)
// x, y: [n]
//
// GELU with tanh in place of the normal
// distribution (Hendrycks and Gimpel, "Gaussian
// Error Linear Units", 2016).
__device__ float gelu_tanh(float x) {
  // Left of -15 the result is 0 in any float;
  // stopping there keeps minus infinity from
  // being multiplied by 0.
  const float b = x < -15 ? -15 : x;
  const float cubic = 0.044715f * b * b * b;
  const float u = 0.79788456f * (b + cubic);
  return 0.5f * b * (1 + tanhf(u));
}

__global__ void activation_gelu_tanh(
    const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = gelu_tanh(x[i]);
}
