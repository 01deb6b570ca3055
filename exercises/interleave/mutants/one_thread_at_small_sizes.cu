__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 100000) {
    if (t == 0) {
      for (int i = 0; i < n; ++i) out[i] = gain * in[i];
    }
    return;
  }
  for (int i = t; i < n; i += threads) out[i] = gain * in[i];
}
