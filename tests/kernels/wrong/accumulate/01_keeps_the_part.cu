//@ idea: keeps what arrived, and forgets its own
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void accumulate(const float* sum, const float* part, float* sum_next, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  sum_next[i] = part[i];
}
