__global__ void ring(const float* x, float* out, int n) {
  __shared__ float tile[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 120 + t - 4;
  tile[t] = x[(i % n + n) % n];
  __syncthreads();
  if (t == 0) {
    for (int step = 0; step < 4; ++step) {
      float before = tile[0];
      for (int k = 1; k < 127; ++k) {
        float own = tile[k];
        tile[k] = (before + 2 * own + tile[k + 1]) / 4;
        before = own;
      }
    }
  }
  __syncthreads();
  if (t >= 4 && t < 124 && i < n) out[i] = tile[t];
}
