// y = max(x, 0), with its comparison turned round
// x, y: [n]
__global__ void activation_relu(
    const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}
