__device__ float warm(float s) {
  for (int k = 0; k < 32; ++k)
    s = s * (1.02f - 0.02f * s * s);
  return s;
}

__device__ float bright(float s) {
  for (int k = 0; k < 32; ++k)
    s = s + 0.01f * s * (1 - fabsf(s));
  return s;
}

__global__ void master(const float* x, float* out,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (int at = i; at < (n + 63) / 64 * 64; at += threads) {
    int sample = at / 64 * 64 + at % 32 * 2 + at / 32 % 2;
    if (sample < n)
      out[sample] = at / 32 % 2 ? bright(x[sample]) : warm(x[sample]);
  }
}
