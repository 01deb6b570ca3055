__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int items = (n + threads - 1) / threads;
  if (n > 200000) {
    for (int k = 0; k < items; ++k) {
      int i = t * items + k;
      if (i < n) out[i] = gain * in[i];
    }
  } else {
    for (int i = t; i < n; i += threads) out[i] = gain * in[i];
  }
}
