__global__ void folded_sums(const float* x, float* sums, int n) {

  int lane = threadIdx.x % 16;
  int team = (blockIdx.x * blockDim.x + threadIdx.x) / 16, teams = gridDim.x * blockDim.x / 16;
  int stretches = (n + 255LL) / 256;
  for (int base = team & ~1; base < stretches; base += teams) {
    int k = base + (team & 1);
    float v[16];
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      long long at = k * 256LL + 16 * j + lane;
      v[j] = at < n ? x[at] : 0.0f;
    }
#pragma unroll
    for (int half = 8; half > 0; half /= 2)
#pragma unroll
      for (int j = 0; j < half; ++j) v[j] += v[j + half];
    float s = v[0];
    for (int o = 8; o > 0; o /= 2) s += __shfl_down_sync(0xffffffffu, s, o, 16);
    if (lane == 0 && k < stretches) sums[k] = s;
  }
}
