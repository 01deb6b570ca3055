// Prepares a stereo recording for a record: the two
// tracks are treated differently. x, out: [n].
// RUN samples of the left track are followed by
// RUN of the right one, and so on.
__device__ float warm(float s) {
  for (int k = 0; k < ROUNDS; ++k)
    s = s * (1.25f - 0.3f * s * s);
  return s;
}

__device__ float bright(float s) {
  for (int k = 0; k < ROUNDS; ++k)
    s = s + 0.1f * s * (1 - fabsf(s));
  return s;
}

__global__ void master(const float* x, float* out,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = x[i];
    if (i / RUN % 2 == 0)
      s = warm(s);
    else
      s = bright(s);
    out[i] = s;
  }
}
