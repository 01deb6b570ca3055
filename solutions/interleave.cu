// out[i] = gain * in[i] for all n elements
// The launch has fewer threads than elements.
__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  // Not a piece for each thread: in every round all threads
  // take neighbours, and go on together. So the 32 lanes of a
  // warp always touch four whole sectors.
  for (int i = t; i < n; i += threads) {
    out[i] = gain * in[i];
  }
}
