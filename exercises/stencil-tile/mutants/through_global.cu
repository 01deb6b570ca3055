__global__ void ring(const float* x, float* out, int n) {
  int t = threadIdx.x;
  int i = blockIdx.x * 120 + t;
  bool own = t < 120 && i < n;
  if (own) out[i] = x[i];
  __syncthreads();
  for (int step = 0; step < 4; ++step) {
    float next = 0;
    if (own) next = (out[(i + n - 1) % n] + 2 * out[i] + out[(i + 1) % n]) / 4;
    __syncthreads();
    if (own) out[i] = next;
    __syncthreads();
  }
}
