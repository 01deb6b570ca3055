__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int items = n / threads;
  for (int k = 0; k < items; ++k) {
    int i = k * threads + t;
    out[i] = gain * in[i];
  }
}
