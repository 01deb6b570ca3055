// A stereo recording: sample 2k is left, 2k + 1 right.
// The left ones become warm, the right ones bright.
// x, out: [n], n is even; a thread for each sample,
// and a block is a multiple of 64 threads
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
  // Of 64 threads, the first warp takes the left samples of 32 pairs, the second the right ones.
  int pair = i / 64 * 32 + i % 32;
  if (pair < n / 2) {
    if (i / 32 % 2 == 0)
      out[2 * pair] = warm(x[2 * pair]);
    else
      out[2 * pair + 1] = bright(x[2 * pair + 1]);
  }
}
