//@ idea: each round folds the upper half onto the lower one
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
// Which elements meet in a round is free to choose. Thread t adds the element at t + stride to its own, and the stride is
// halved: the threads that work are neighbours, and so are their elements. Whole warps, and no bank asked twice.
//
// What is left is that half of the threads do nothing but load their element, and that every round costs a barrier for all.
__global__ void sum(const float* x, float* out, int n) {
  constexpr int kMostThreads = 1024;
  __shared__ float partial[kMostThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + thread;
  partial[thread] = i < n ? x[i] : 0;
  __syncthreads();  // the tree below adds what other threads have stored

  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (thread < stride) partial[thread] += partial[thread + stride];
    __syncthreads();  // the next round reads this round's sums
  }

  if (thread == 0) atomicAdd(out, partial[0]);
}
