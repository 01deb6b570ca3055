// The coefficients in an array of the thread's own,
// at indices that the compiler knows: 0, 1, 2, ...
__global__ void filter(
    const float* x, const float* c,
    float* out, int n, int turn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[TAPS];
  for (int k = 0; k < TAPS; ++k) a[k] = c[k];
  float sum = 0;
  for (int k = 0; k < TAPS; ++k)
    sum += a[k] * x[i + k];
  out[i] = sum;
}
