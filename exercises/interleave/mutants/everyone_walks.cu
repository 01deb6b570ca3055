__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t; i < n; i += threads) {
    for (int k = 0; k < 64; ++k) {  // waits for its turn
      if (k == threadIdx.x % 64) out[i] = gain * in[i];
      __syncwarp();
    }
  }
}
