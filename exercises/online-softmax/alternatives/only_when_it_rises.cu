// Scales only when the maximum rises; lanes meet pair by pair, both numbers at once.
__global__ void softmax(const float* x, float* y, int columns) {
  const float* row = x + blockIdx.x * columns;
  float top = -3.0e38f, sum = 0;
  for (int c = threadIdx.x; c < columns; c += 32) {
    float element = row[c];
    if (element <= top) {
      sum += expf(element - top);
    } else {
      sum = 1 + sum * expf(top - element);
      top = element;
    }
  }
  for (int distance = 1; distance < 32; distance *= 2) {
    float other_top = __shfl_xor_sync(~0u, top, distance), other_sum = __shfl_xor_sync(~0u, sum, distance);
    float both = fmaxf(top, other_top);
    sum = sum * expf(top - both) + other_sum * expf(other_top - both);
    top = both;
  }
  for (int c = threadIdx.x; c < columns; c += 32)
    y[blockIdx.x * columns + c] = sum > 0 ? expf(row[c] - top) / sum : 0;
}
