__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int items = (n + threads - 1) / threads;
  for (int k = 0; k < items; ++k) {
    int i = n < 3000 ? t * items + k : k * threads + t;
    if (i < n) out[i] = gain * in[i];
  }
}
