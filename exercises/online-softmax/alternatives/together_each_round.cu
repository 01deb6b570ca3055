// All lanes stay in every round, and have one maximum and one sum between them all the time.
__device__ float lanes(float mine, bool largest) {
  for (int distance = 16; distance > 0; distance /= 2) {
    float other = __shfl_xor_sync(~0u, mine, distance);
    mine = largest ? fmaxf(mine, other) : mine + other;
  }
  return mine;
}

__global__ void softmax(const float* x, float* y, int columns) {
  const float* row = x + blockIdx.x * columns;
  float top = -3.0e38f, sum = 0;
  for (int first = 0; first < columns; first += 32) {
    int c = first + threadIdx.x;
    float element = c < columns ? row[c] : -INFINITY;
    float raised = fmaxf(top, lanes(element, true));
    sum = sum * expf(top - raised) + lanes(expf(element - raised), false);
    top = raised;
  }
  for (int c = threadIdx.x; c < columns; c += 32)
    y[blockIdx.x * columns + c] = sum == 0 ? 0 : expf(row[c] - top) / sum;
}
