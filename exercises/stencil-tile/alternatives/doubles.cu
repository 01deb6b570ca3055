// Adds up in double precision and loads through the read-only path.
__global__ void ring(const float* x, float* out, int n) {
  __shared__ double tile[128];
  int t = threadIdx.x;
  int i = int(blockIdx.x) * 120 + int(t) - 4;
  int wrapped = i < 0 ? n - 1 - (-i - 1) % n : i % n;
  tile[t] = __ldg(x + wrapped);
  __syncthreads();
#pragma unroll
  for (int step = 0; step < 4; ++step) {
    double l = t == 0 ? 0 : tile[t - 1], o = tile[t], r = t == 127 ? 0 : tile[t + 1];
    __syncthreads();
    tile[t] = 0.25 * l + 0.5 * o + 0.25 * r;
    __syncthreads();
  }
  if (t >= 4 && t < 124 && i < n) out[i] = float(tile[t]);
}
