// y = log(1 + exp(x)), a ReLU without the corner
// x, y: [n]
__global__ void softplus(
    const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = logf(1 + expf(x[i]));
}
