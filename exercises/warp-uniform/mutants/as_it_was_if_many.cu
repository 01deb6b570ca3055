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
  int side = i / 32 % 2;
  int k = i / 64 * 64 + i % 32 * 2 + side;
  if (n > 20000) k = i;
  if (k < n) {
    if (k % 2 == 0)
      out[k] = warm(x[k]);
    else
      out[k] = bright(x[k]);
  }
}
