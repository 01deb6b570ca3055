//@ idea: the blocks add to the sum, each as if it were alone
//@ caught: race
//@ block: 32
//@ grid: ceil_div(n, block)
//@ zero: out
//@ depth: n

__global__ void sum(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? x[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  if (threadIdx.x == 0) *out += value;
}
