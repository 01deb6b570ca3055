// y = x^3 + x
__global__ void forward(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i] * x[i] + x[i];
}

// dx = dy * (3 x^2 + 1)
__global__ void backward(const float* x, const float* dy,
                         float* dx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = dy[i] * (3 * x[i] * x[i] + 1);
}
