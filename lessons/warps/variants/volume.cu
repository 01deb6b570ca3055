// Only the volume differs. The compiler selects one of
// two numbers, so no warp parts.
__global__ void master(const float* x, float* out,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = x[i];
    if (i / RUN % 2 == 0)
      s = s * 0.5f;
    else
      s = s * 0.75f;
    out[i] = s;
  }
}
