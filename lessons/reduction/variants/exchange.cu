// One warp. held[32 * r + lane] is what a lane has after
// r rounds; before them it is x[lane].
__global__ void down(const float* x, float* held) {
  int lane = threadIdx.x;
  float value = x[lane];
  held[lane] = value;
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_down_sync(0xffffffff, value, step);
    held += 32;
    held[lane] = value;
  }
}

__global__ void butterfly(const float* x, float* held) {
  int lane = threadIdx.x;
  float value = x[lane];
  held[lane] = value;
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, step);
    held += 32;
    held[lane] = value;
  }
}
