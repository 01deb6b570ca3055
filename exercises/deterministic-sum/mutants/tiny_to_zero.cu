__global__ void folded_sums(const float* x, float* sums, int n) {
  int lane = threadIdx.x & 31;
  int warps = gridDim.x * (blockDim.x >> 5);
  int me = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  for (int k = me; k * 256LL < n; k += warps) {
    float v[8];
    for (int j = 0; j < 8; ++j) {
      long long p = k * 256LL + j * 32 + lane;
      v[j] = p < n ? x[p] : 0.f;
    }
    for (int j = 0; j < 4; ++j) v[j] += v[j + 4];
    v[0] += v[2]; v[1] += v[3];
    v[0] += v[1];
    for (int d = 16; d; d >>= 1) v[0] += __shfl_down_sync(~0u, v[0], d);
    if (!lane) sums[k] = fabsf(v[0]) < 1.2e-38f && v[0] != 0 ? copysignf(0.f, v[0]) : v[0];
  }
}
