// Four loads of neighbouring floats a warp; shuffles bring every lane the four of its particle.
__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, first = i - lane;
  float row[4], own[4];
  for (int k = 0; k < 4; ++k) {
    int at = 4 * first + 32 * k + lane;
    row[k] = at < 4 * n ? particles[at] : 0;
  }
  for (int field = 0; field < 4; ++field) {
    int from = (4 * lane + field) % 32;
    for (int k = 0; k < 4; ++k) {
      float got = __shfl_sync(~0u, row[k], from);
      if (lane / 8 == k) own[field] = got;
    }
  }
  if (i >= n) return;
  x[i] = own[0];
  y[i] = own[1];
  z[i] = own[2];
  mass[i] = own[3];
}
