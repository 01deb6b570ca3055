__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 != 0) return;
  for (int i = t; i < n; i += threads) {
    for (int lane = 0; lane < 32 && i + lane < n; ++lane) out[i + lane] = gain * in[i + lane];
  }
}
