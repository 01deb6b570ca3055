// out[i] = gain * in[i] for all n elements
// The launch has fewer threads than elements.
__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  // In every round, neighbouring threads take neighbouring
  // elements, so the 32 lanes of a warp touch four whole
  // sectors. Then all threads move on together.
  for (int i = t; i < n; i += threads) {
    out[i] = gain * in[i];
  }
}
