__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  if (blockIdx.x != 0) return;
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = gain * in[i];
}
