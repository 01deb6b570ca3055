// Two steps for each pair of barriers.
__global__ void ring(const float* x, float* out, int n) {
  __shared__ float tile[132];
  int t = threadIdx.x;
  int i = blockIdx.x * 120 + t - 4;
  float* own = tile + t + 2;
  *own = x[(i % n + n) % n];
  if (t < 2) tile[t] = tile[130 + t] = 0;
  __syncthreads();
  for (int pair = 0; pair < 2; ++pair) {
    float next = (own[-2] + 4 * own[-1] + 6 * own[0] + 4 * own[1] + own[2]) / 16;
    __syncthreads();
    *own = next;
    __syncthreads();
  }
  if (t >= 4 && t < 124 && i < n) out[i] = *own;
}
