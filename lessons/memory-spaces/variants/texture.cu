// The coefficients in global memory, read by the
// texture unit. The host makes the object c names.
__global__ void filter(
    const float* x, cudaTextureObject_t c,
    float* out, int n, int turn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < TAPS; ++k) {
    int j = (k + turn * threadIdx.x) % TAPS;
    sum += tex1Dfetch<float>(c, j) * x[i + j];
  }
  out[i] = sum;
}
