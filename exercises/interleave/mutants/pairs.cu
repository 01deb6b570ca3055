__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 2 * t; i < n; i += 2 * threads) {  // pieces of two: half as bad
    out[i] = gain * in[i];
    if (i + 1 < n) out[i + 1] = gain * in[i + 1];
  }
}
