// A bias and GELU in its form with tanh, fused
// x, y: [n][k][pixels], bias: [k]
//
// The form with tanh is that of gelu_tanh.cu.
__device__ float gelu_tanh(float x) {
  const float b = x < -15 ? -15 : x;
  const float cubic = 0.044715f * b * b * b;
  const float u = 0.79788456f * (b + cubic);
  return 0.5f * b * (1 + tanhf(u));
}

__global__ void activation_gelu_tanh_bias(
    const float* x, const float* bias, float* y,
    int n, int k, int pixels) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  int filter = blockIdx.y, image = blockIdx.z;
  if (pixel >= pixels) return;
  int i = (image * k + filter) * pixels + pixel;
  y[i] = gelu_tanh(x[i] + bias[filter]);
}
