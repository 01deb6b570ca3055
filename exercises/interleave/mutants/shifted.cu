__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t - 1; i < n; i += threads) {  // no warp begins at a whole sector
    if (i >= 0) out[i] = gain * in[i];
  }
}
