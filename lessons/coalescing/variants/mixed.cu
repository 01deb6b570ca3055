// as before, a warp's lanes in another order
__global__ void gather(const float* in, float* out,
    int n, int stride, int offset) {
  int t = threadIdx.x ^ 21;
  int i = blockIdx.x * blockDim.x + t;
  if (i < n) {
    float value = in[i * stride + offset];
    out[i] = value;
  }
}
