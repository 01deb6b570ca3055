// Coefficients in shared memory: one copy a block.
__global__ void filter(
    const float* x, const float* c,
    float* out, int n, int turn) {
  __shared__ float a[TAPS];
  if (threadIdx.x < TAPS)
    a[threadIdx.x] = c[threadIdx.x];
  __syncthreads();  // whole before anyone reads
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < TAPS; ++k) {
    int j = (k + turn * threadIdx.x) % TAPS;
    sum += a[j] * x[i + j];
  }
  out[i] = sum;
}
