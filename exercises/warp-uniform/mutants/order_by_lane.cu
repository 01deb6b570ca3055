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
  if (i >= n / 2) return;
  float left = x[2 * i], right = x[2 * i + 1];
#pragma unroll 1
  for (int k = 0; k < 2; ++k) {
    if ((i + k) % 2 == 0)
      out[2 * i] = warm(left);
    else
      out[2 * i + 1] = bright(right);
  }
}
