// Two elements a round, a grid apart, so that two loads are on their way at once.
__global__ void scale(int n, float a, float* x) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + threads < n; i += 2 * threads) {
    float first = x[i], second = x[i + threads];
    x[i] = a * first;
    x[i + threads] = a * second;
  }
  if (i < n) x[i] = a * x[i];
}
