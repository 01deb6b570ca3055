// A fade-out: each sample of 32 is quieter than the
// one before it.
__global__ void master(const float* x, float* out,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = x[i];
#pragma unroll 1
    for (int k = 0; k < i % 32; ++k)
      s = s * 0.875f;
    out[i] = s;
  }
}
