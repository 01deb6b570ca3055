// Two maxima and two sums a lane, which do not wait for each other; a masked row is left early.
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
  float largest[2] = {-10000, -10000}, sum[2] = {0, 0};
#pragma unroll 2
  for (int k = 0; k < (columns + 31) / 32; ++k) {
    int c = 32 * k + threadIdx.x;
    float element = c < columns ? x[c] : -INFINITY;
    float& top = k % 2 ? largest[1] : largest[0];
    float& total = k % 2 ? sum[1] : sum[0];
    if (element > top) {
      total *= expf(top - element);
      top = element;
    }
    total += expf(element - top);
  }
  float of_row = warp_max(fmaxf(largest[0], largest[1]));
  float all = sum[0] * expf(largest[0] - of_row) + sum[1] * expf(largest[1] - of_row);
  all = warp_sum(all);
  for (int c = threadIdx.x; c < columns; c += 32)
    y[c] = all == 0 ? 0 : expf(x[c] - of_row) / all;
}
