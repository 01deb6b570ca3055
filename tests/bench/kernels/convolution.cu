// Eight channels of n x n to sixteen of the same size, 3 x 3 taps, zero outside: one thread an output, a plane of the
// grid a channel.
__global__ void convolution(const float* from, const float* weights, float* to, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int out = blockIdx.z;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int in = 0; in < 8; ++in) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (y + dy < 0 || y + dy >= n || x + dx < 0 || x + dx >= n) continue;
        sum += from[(in * n + y + dy) * n + x + dx] * weights[(out * 8 + in) * 9 + (dy + 1) * 3 + dx + 1];
      }
    }
  }
  to[(out * n + y) * n + x] = sum;
}
