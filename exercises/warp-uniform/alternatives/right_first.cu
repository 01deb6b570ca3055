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
  int warp = i / 32, lane = i % 32;
  int at = (warp / 2 * 32 + lane) * 2 + (warp % 2 == 0);
  if (at >= n) return;
  float s = x[at];
  out[at] = at % 2 == 0 ? warm(s) : bright(s);
}
