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
  int half = blockDim.x / 2, t = threadIdx.x % half;
  bool left = threadIdx.x < half;
  int at = 2 * (blockIdx.x * half + t) + !left;
  if (at < n) out[at] = left ? warm(x[at]) : bright(x[at]);
}
