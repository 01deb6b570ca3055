// Each thread reads one float of its record.
__global__ void gather(const float* in, float* out,
    int n, int stride, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float value = in[i * stride + offset];
    out[i] = value;
  }
}
