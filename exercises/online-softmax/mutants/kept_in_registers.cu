// Three passes: the maximum, the sum, the quotients. What fits is kept in registers, so the loads look like fewer.
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
  x += blockIdx.x * columns;
  y += blockIdx.x * columns;
  int lane = threadIdx.x;
  constexpr int kKept = 196;
  float kept[kKept];
  float largest = -3.402823466e38f;
#pragma unroll
  for (int k = 0; k < kKept; ++k) {
    int c = lane + 32 * k;
    kept[k] = c < columns ? x[c] : -INFINITY;
    largest = fmaxf(largest, kept[k]);
  }
  for (int c = lane + 32 * kKept; c < columns; c += 32) largest = fmaxf(largest, x[c]);
  largest = warp_max(largest);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kKept; ++k) sum += expf(kept[k] - largest);
  for (int c = lane + 32 * kKept; c < columns; c += 32) sum += expf(x[c] - largest);
  sum = warp_sum(sum);
  float scale = sum > 0 ? 1 / sum : 0;
#pragma unroll
  for (int k = 0; k < kKept; ++k) {
    int c = lane + 32 * k;
    if (c < columns) y[c] = expf(kept[k] - largest) * scale;
  }
  for (int c = lane + 32 * kKept; c < columns; c += 32) y[c] = expf(x[c] - largest) * scale;
}
