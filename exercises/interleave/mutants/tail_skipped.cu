__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n / threads; ++k) out[k * threads + t] = gain * in[k * threads + t];
}
