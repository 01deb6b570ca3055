//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 16
//@ bytes: 12 * n
//@ flops: n

// sum_next = sum + part      sum, part, sum_next: [n]
//
// What a device has added up so far, and what arrived
// from another one. sum_next may be sum: each thread
// reads its own element before it writes it.
__global__ void accumulate(const float* sum,
                           const float* part,
                           float* sum_next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // past the end
  sum_next[i] = sum[i] + part[i];
}
