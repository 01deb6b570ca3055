__global__ void amplify(const float* in, float* out, int n, float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t; i < n; i += threads) if (in[i] != 0.f) out[i] = gain * in[i];
}
