__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t; i < n; i += threads) {
    float value = __ldcv(in + i);  // whole sectors, and the same ones again
    value = __ldcv(in + i);
    out[i] = gain * value;
  }
}
