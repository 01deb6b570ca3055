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
  if (i < n / 2) {
    float2 pair = reinterpret_cast<const float2*>(x)[i];
    pair.x = warm(pair.x);
    pair.y = bright(pair.y);
    reinterpret_cast<float2*>(out)[i] = pair;
  }
}
