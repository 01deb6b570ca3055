// as before, but each block reads back to front
__global__ void gather(const float* in, float* out,
    int n, int stride, int offset) {
  int back = blockDim.x - 1 - threadIdx.x;
  int i = blockIdx.x * blockDim.x + back;
  if (i < n) {
    float value = in[i * stride + offset];
    out[i] = value;
  }
}
