// dx = dy right of 0, leak dy elsewhere
// x, dy, dx: [n]
__global__ void leaky_relu_backward(
    const float* x, const float* dy, float* dx,
    int n, float leak) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  dx[i] = x[i] > 0 ? dy[i] : leak * dy[i];
}
