//@ idea: hands the sum to the next block by a flag, and nothing orders the two
//@ caught: race
//@ block: 32
//@ grid: ceil_div(n, block)
//@ depth: n
//@ workspace: sums f32[ceil_div(n, block)]
//@ workspace: flags u32[ceil_div(n, block)]
//@ zero: flags
//@ launch: scan(x, out, sums, flags, n)

__global__ void scan(const float* x, float* out, float* sums, unsigned* flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? x[i] : 0;
  for (int offset = 1; offset < 32; offset *= 2) {
    const float before = __shfl_up_sync(0xffffffff, value, offset);
    if (threadIdx.x >= offset) value += before;
  }
  float before = 0;
  if (blockIdx.x > 0) {
    if (threadIdx.x == 0) {
      while (atomicAdd(&flags[blockIdx.x - 1], 0u) == 0) {
      }
      before = sums[blockIdx.x - 1];
    }
    before = __shfl_sync(0xffffffff, before, 0);
  }
  if (i < n) out[i] = before + value;
  if (threadIdx.x == 31) {
    sums[blockIdx.x] = before + value;
    atomicExch(&flags[blockIdx.x], 1u);
  }
}
