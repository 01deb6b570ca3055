// One exponential an element, of its distance to the maximum so far, whichever is the larger.
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
  float largest = -1e5f, sum = 0;
  for (int c = threadIdx.x; c < columns; c += 32) {
    const float element = row[c], factor = expf(-fabsf(element - largest));
    const bool rises = element > largest;
    sum = rises ? fmaf(sum, factor, 1) : sum + factor;
    largest = rises ? element : largest;
  }
  const float of_row = warp_max(largest);
  sum = warp_sum(sum * expf(largest - of_row));
  const float logarithm = sum > 0 ? logf(sum) : 0;
  for (int c = threadIdx.x; c < columns; c += 32)
    y[blockIdx.x * columns + c] = expf((row[c] - of_row) - logarithm);
}
