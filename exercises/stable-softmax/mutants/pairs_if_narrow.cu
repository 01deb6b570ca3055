// Every lane brings a number, and every lane gets the
// maximum, or the sum, of all 32.
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
  int each = columns < 200 ? 2 : 1;
  int first = each * threadIdx.x;
  float largest = -INFINITY, sum = 0;
  for (int b = first; b < columns; b += 32 * each)
    for (int c = b; c < min(columns, b + each); ++c)
      largest = fmaxf(largest, x[c]);
  largest = warp_max(largest);
  if (largest == -INFINITY) largest = 0;
  for (int b = first; b < columns; b += 32 * each)
    for (int c = b; c < min(columns, b + each); ++c)
      sum += expf(x[c] - largest);
  sum = warp_sum(sum);
  float scale = sum > 0 ? 1 / sum : 0;
  for (int b = first; b < columns; b += 32 * each)
    for (int c = b; c < min(columns, b + each); ++c)
      y[c] = expf(x[c] - largest) * scale;
}
