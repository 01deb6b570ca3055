__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = t % 32, warp = t / 32;
  for (int first = warp * 256; first < n; first += threads * 8) {
    for (int k = 0; k < 8; ++k) {
      int i = first + lane * 8 + k;
      if (i < n) out[i] = gain * in[i];
    }
  }
}
