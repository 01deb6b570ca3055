// Written at indices that the compiler knows, and
// only read at computed ones.
__global__ void filter(
    const float* x, const float* c,
    float* out, int n, int turn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[TAPS];
  for (int k = 0; k < TAPS; ++k) a[k] = c[k];
  float sum = 0;
  for (int k = 0; k < TAPS; ++k) {
    int j = (k + turn * threadIdx.x) % TAPS;
    sum += a[j] * x[i + j];
  }
  out[i] = sum;
}
