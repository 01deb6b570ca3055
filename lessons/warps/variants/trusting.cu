// The sum of each stretch of 32, by memory: the first
// of each 32 elements of part becomes their sum.
__global__ void add_up(float* part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = i % 32;
  for (int half = 16; half > 0; half /= 2) {
    if (lane < half)
      part[i] += part[i + half];
  }
}
