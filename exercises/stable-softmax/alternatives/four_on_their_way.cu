// Four loads a lane are on their way at once; a masked row is left early, by all lanes.
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
  const int lane = threadIdx.x;
  x += blockIdx.x * columns;
  y += blockIdx.x * columns;
  float largest = -INFINITY;
  int c = lane;
  for (; c + 96 < columns; c += 128) {
    const float a = x[c], b = x[c + 32], d = x[c + 64], e = x[c + 96];
    largest = fmaxf(fmaxf(largest, fmaxf(a, b)), fmaxf(d, e));
  }
  for (; c < columns; c += 32) largest = fmaxf(largest, x[c]);
  largest = warp_max(largest);
  if (largest == -INFINITY) {
    for (c = lane; c < columns; c += 32) y[c] = 0;
    return;
  }
  double sum = 0;
  for (c = lane; c < columns; c += 32) sum += __expf(x[c] - largest);
  const float of_row = warp_sum(static_cast<float>(sum));
  for (c = lane; c < columns; c += 32) y[c] = __fdividef(__expf(x[c] - largest), of_row);
}
