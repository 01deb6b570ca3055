//@ idea: one block, chunk by chunk; in each chunk every element adds the one `offset` before it
//@ block: 256
//@ grid: min(n, 1)
//@ needs: 75
//@ registers: 24
//@ bytes: 8 * n
//@ flops: n * ceil_log2(block)
//@ depth: ceil_log2(block) + ceil_div(n, block)

// x, out: [n], out[i] = x[0] + ... + x[i]
//
// A sum of everything is a tree; here all partial sums are wanted, and each seems to wait for the one before it. It need not:
// let every element add the one 1 before it, then the one 2 before it, then 4, 8, ... After round k each holds the sum of its
// last 2^k; after 8 rounds 256 of them are done (Hillis and Steele). That is n log2(n) additions instead of n: more work, fewer steps.
//
// One block can do this in shared memory, where threads wait for each other. What is longer than a block it takes in chunks,
// and carries the sum so far from one to the next. 131 of 132 multiprocessors have nothing to do.
__global__ void scan(const float* x, float* out, int n) {
  constexpr int kMostThreads = 1024;
  __shared__ float sums[2][kMostThreads];  // a round reads the one and writes the other
  const int thread = threadIdx.x, last = blockDim.x - 1;

  float carry = 0;
  for (int begin = 0; begin < n; begin += blockDim.x) {
    const int i = begin + thread;
    int now = 0;
    sums[now][thread] = i < n ? x[i] : 0;
    __syncthreads();  // the first round reads what other threads have stored
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
      float sum = sums[now][thread];
      if (thread >= offset) sum += sums[now][thread - offset];
      now = 1 - now;
      sums[now][thread] = sum;
      __syncthreads();  // the next round reads this one's sums
    }
    if (i < n) out[i] = carry + sums[now][thread];
    carry += sums[now][last];
    __syncthreads();  // all have read the last sum before the next chunk overwrites it
  }
}
