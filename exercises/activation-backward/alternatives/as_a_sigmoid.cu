// (1 + tanh(u)) / 2 is the sigmoid of 2 u, whose slope is s (1 - s).
__global__ void gelu_backward(const float* x, const float* dy, float* dx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i], v2 = v * v;
    float s = 1 / (1 + expf(-1.5957691f * v * (1 + 0.044715f * v2)));
    dx[i] = dy[i] * (s + v * s * (1 - s) * 1.5957691f * (1 + 0.134145f * v2));
  }
}
