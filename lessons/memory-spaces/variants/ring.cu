// Each thread keeps its last samples in a ring:
// sample s goes to place s % TAPS.
__global__ void filter(
    const float* x, const float* c,
    float* out, int n, int turn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ring[TAPS];
  for (int s = i; s < i + TAPS; ++s)
    ring[s % TAPS] = x[s];
  float sum = 0;
  for (int k = 0; k < TAPS; ++k)
    sum += c[k] * ring[(i + k) % TAPS];
  out[i] = sum;
}
