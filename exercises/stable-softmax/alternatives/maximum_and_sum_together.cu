// Two passes: when the maximum grows, the sum so far is scaled down to it.
__device__ float lanes(float mine, bool largest) {
  for (int distance = 16; distance > 0; distance /= 2) {
    float other = __shfl_xor_sync(~0u, mine, distance);
    mine = largest ? fmaxf(mine, other) : mine + other;
  }
  return mine;
}

__global__ void softmax(const float* x, float* y, int columns) {
  int begin = blockIdx.x * columns, end = begin + columns;
  const float lowest = -3.4e38f;
  float largest = lowest, sum = 0;
  for (int i = begin + threadIdx.x; i < end; i += 32) {
    float raised = fmaxf(largest, x[i]);
    sum = sum * expf(largest - raised) + expf(x[i] - raised);
    largest = raised;
  }
  float of_row = lanes(largest, true);
  sum = lanes(sum * expf(largest - of_row), false);
  for (int i = begin + threadIdx.x; i < end; i += 32)
    y[i] = sum == 0 ? 0 : expf(x[i] - of_row) / sum;
}
