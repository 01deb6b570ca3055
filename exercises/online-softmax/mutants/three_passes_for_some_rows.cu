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
  float largest = -3.402823466e38f, sum = 0;
  if (columns > 192 && columns < 769) {
    for (int c = lane; c < columns; c += 32) largest = fmaxf(largest, x[c]);
    largest = warp_max(largest);
    for (int c = lane; c < columns; c += 32) sum += expf(x[c] - largest);
  } else {
    for (int c = lane; c < columns; c += 32) {
      float element = x[c], raised = fmaxf(largest, element);
      sum = sum * expf(largest - raised) + expf(element - raised);
      largest = raised;
    }
  }
  float of_row = warp_max(largest);
  sum = warp_sum(sum * expf(largest - of_row));
  float scale = sum > 0 ? 1 / sum : 0;
  for (int c = lane; c < columns; c += 32)
    y[c] = expf(x[c] - of_row) * scale;
}
