// The coefficients as they came: in global memory.
__global__ void filter(
    const float* x, const float* c,
    float* out, int n, int turn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < TAPS; ++k) {
    int j = (k + turn * threadIdx.x) % TAPS;
    sum += c[j] * x[i + j];
  }
  out[i] = sum;
}
