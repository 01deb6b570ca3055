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
  // Thread i masters sample i here, and every warp splits:
  //   if (i < n) {
  //     if (i % 2 == 0)
  //       out[i] = warm(x[i]);
  //     else
  //       out[i] = bright(x[i]);
  //   }
  // Write it so that none does.
}
