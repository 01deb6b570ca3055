//@ idea: a tree in shared memory, one addition to the sum a block
//@ block: 256
//@ zero: out
//@ atomics: f32
//@ depth: ceil_log2(block) + ceil_div(n, block)
//@ grid: ceil_div(n, block)
//@ needs: 75
//@ registers: 20
//@ bytes: 4 * n
//@ flops: n

// x: [n], out: [1], which the host sets to 0
//
// Addition has no order, so it need not be done in one: neighbours add up in pairs, then the pairs, then the pairs of pairs.
// 256 elements take 8 rounds, and only one atomic addition leaves the block: 2^20 of them instead of 2^28.
//
// Who works in round `stride`? Here, every thread whose index is a multiple of 2 * stride: threads 0, 2, 4, ..., then 0, 4, 8, ... In
// each warp some lanes work and some do not, in every round: all 8 warps of the block run all 8 rounds, half empty, a quarter
// empty, ... See divergent_branches, and thread_instructions against 32 * warp_instructions.
__global__ void sum(const float* x, float* out, int n) {
  constexpr int kMostThreads = 1024;
  __shared__ float partial[kMostThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + thread;
  partial[thread] = i < n ? x[i] : 0;
  __syncthreads();  // the tree below adds what other threads have stored

  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (thread % (2 * stride) == 0) partial[thread] += partial[thread + stride];
    __syncthreads();  // the next round reads this round's sums
  }

  if (thread == 0) atomicAdd(out, partial[0]);
}
