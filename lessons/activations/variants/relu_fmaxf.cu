// y = max(x, 0)      x, y: [n]
__global__ void activation_relu(
    const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0);
}
