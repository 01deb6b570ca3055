// The sum's logarithm is taken off the difference, which is small, and not added to the maximum.
__device__ float warp_max(float mine) {
  for (int distance = 16; distance > 0; distance /= 2)
    mine = fmaxf(mine, __shfl_xor_sync(~0u, mine, distance));
  return mine;
}
__device__ float warp_sum(float mine) {
  for (int distance = 16; distance > 0; distance /= 2)
    mine += __shfl_xor_sync(~0u, mine, distance);
  return mine;
}

__global__ void softmax(const float* x, float* y,
                        int columns) {
  const float* row = x + blockIdx.x * columns;
  float largest = -10000, sum = 0;  // no element that counts is smaller
  for (int c = threadIdx.x; c < columns; c += 32) largest = fmaxf(largest, row[c]);
  largest = warp_max(largest);
  for (int c = threadIdx.x; c < columns; c += 32) sum += expf(row[c] - largest);
  sum = warp_sum(sum);
  const float logarithm = sum > 0 ? logf(sum) : 0;
  for (int c = threadIdx.x; c < columns; c += 32)
    y[blockIdx.x * columns + c] = expf((row[c] - largest) - logarithm);
}
