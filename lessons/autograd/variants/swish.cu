// y = x * s with s = 1 / (1 + e^-x): swish, which networks
// also call SiLU.
__device__ float sigmoid(float x) {
  return 1 / (1 + expf(-x));
}

__global__ void forward(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * sigmoid(x[i]);
}

// dx = dy * (s + x * s * (1 - s)): the product rule
__global__ void backward(const float* x, const float* dy,
                         float* dx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = sigmoid(x[i]);
  dx[i] = dy[i] * (s + x[i] * s * (1 - s));
}
