// x, out: [n]; blocks of 128 threads, 120 outputs for each block
__global__ void ring(const float* x, float* out, int n) {
  __shared__ float tile[128];
  int t = threadIdx.x;
  int p = (((int)blockIdx.x * 120 - 4 + t) % n + n) % n;
  tile[t] = x[p];
  if (t < 25) tile[t] = 0.5f * tile[t] + 0.5f * ((const volatile float*)x)[p];
  __syncthreads();
  for (int s = 0; s < 4; ++s) {
    float v = (tile[t > 0 ? t - 1 : t] + 2 * tile[t] + tile[t < 127 ? t + 1 : t]) / 4;
    __syncthreads();
    tile[t] = v;
    __syncthreads();
  }
  int o = blockIdx.x * 120 + t - 4;
  if (t >= 4 && t < 124 && o < n) out[o] = tile[t];
}
