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
  float largest = -INFINITY;
  for (int c = lane; c < columns; c += 32)
    largest = fmaxf(largest, x[c]);
  largest = warp_max(largest);
  bool masked = largest == -INFINITY;
  float sum = 0;
  for (int c = lane; c < columns; c += 32)
    sum += masked ? 1 : expf(x[c] - largest);
  sum = warp_sum(sum);
  for (int c = lane; c < columns; c += 32)
    y[c] = (masked ? 1 : expf(x[c] - largest)) / sum;
}
