// out[i] = gain * in[i] for all n elements
// The launch has fewer threads than elements.
__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  // share the elements out among the threads
}
