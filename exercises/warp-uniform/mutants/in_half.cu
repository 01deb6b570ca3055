#include <cuda_fp16.h>

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
  int pair = i / 64 * 32 + i % 32;
  if (pair < n / 2) {
    if (i / 32 % 2 == 0)
      out[2 * pair] = warm(__half2float(__float2half(x[2 * pair])));
    else
      out[2 * pair + 1] = bright(x[2 * pair + 1]);
  }
}
