// The coefficients in an array of the thread's own,
// at indices that only the run knows.
// x: [n + TAPS - 1], c: [TAPS], out: [n]
__global__ void filter(
    const float* x, const float* c,
    float* out, int n, int turn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[TAPS];
  for (int k = 0; k < TAPS; ++k) {
    int j = (k + turn * threadIdx.x) % TAPS;
    a[j] = c[j];
  }
  float sum = 0;
  for (int k = 0; k < TAPS; ++k) {
    int j = (k + turn * threadIdx.x) % TAPS;
    sum += a[j] * x[i + j];
  }
  out[i] = sum;
}
