//@ idea: the threads that work in a round are neighbours
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
// The same tree over the same elements, but round `stride` is done by the first threads of the block: thread t adds the pair at
// 2 * stride * t. So whole warps are done early: after three rounds one warp does all that is left.
//
// Their elements are 2 * stride floats apart, though, and shared memory has 32 banks: at a stride of 16 all 32 lanes ask the same
// bank, and one addition takes 32 passes. See shared_wavefronts against shared_wavefronts_ideal.
__global__ void sum(const float* x, float* out, int n) {
  constexpr int kMostThreads = 1024;
  __shared__ float partial[kMostThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + thread;
  partial[thread] = i < n ? x[i] : 0;
  __syncthreads();  // the tree below adds what other threads have stored

  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    const int left = 2 * stride * thread;
    if (left < blockDim.x) partial[left] += partial[left + stride];
    __syncthreads();  // the next round reads this round's sums
  }

  if (thread == 0) atomicAdd(out, partial[0]);
}
