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
  int own = (columns + 31 - lane) / 32;
  float* copy = static_cast<float*>(malloc((own + 1) * sizeof(float)));
  float largest = -3.402823466e38f, sum = 0;
  for (int k = 0; k < own; ++k) {
    copy[k] = x[32 * k + lane];
    largest = fmaxf(largest, copy[k]);
  }
  largest = warp_max(largest);
  for (int k = 0; k < own; ++k) sum += expf(copy[k] - largest);
  sum = warp_sum(sum);
  float scale = sum > 0 ? 1 / sum : 0;
  for (int k = 0; k < own; ++k)
    y[32 * k + lane] = expf(copy[k] - largest) * scale;
  free(copy);
}
