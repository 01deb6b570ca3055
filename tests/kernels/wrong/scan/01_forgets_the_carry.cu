//@ idea: scans each block by itself
//@ caught: values
//@ block: 32
//@ grid: ceil_div(n, block)
//@ depth: n

__global__ void scan(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? x[i] : 0;
  for (int offset = 1; offset < 32; offset *= 2) {
    const float before = __shfl_up_sync(0xffffffff, value, offset);
    if (threadIdx.x >= offset) value += before;
  }
  if (i < n) out[i] = value;
}
