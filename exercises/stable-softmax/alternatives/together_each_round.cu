// All lanes stay in every round, and bring the maximum and the sum of 32 columns together at once.
__device__ float lanes(float mine, bool largest) {
  for (int distance = 16; distance > 0; distance /= 2) {
    float other = __shfl_xor_sync(~0u, mine, distance);
    mine = largest ? fmaxf(mine, other) : mine + other;
  }
  return mine;
}

__global__ void softmax(const float* x, float* y, int columns) {
  const float* row = x + blockIdx.x * columns;
  float top = -INFINITY, sum = 0;
  for (int first = 0; first < columns; first += 32) {
    int c = first + threadIdx.x;
    top = fmaxf(top, lanes(c < columns ? row[c] : -INFINITY, true));
  }
  if (top == -INFINITY) top = 0;
  for (int first = 0; first < columns; first += 32) {
    int c = first + threadIdx.x;
    sum += lanes(c < columns ? expf(row[c] - top) : 0, false);
  }
  for (int c = threadIdx.x; c < columns; c += 32)
    y[blockIdx.x * columns + c] = sum == 0 ? 0 : expf(row[c] - top) / sum;
}
