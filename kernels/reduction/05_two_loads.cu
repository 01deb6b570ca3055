//@ idea: each thread adds two elements before the tree begins
//@ block: 256
//@ zero: out
//@ atomics: f32
//@ depth: 1 + ceil_log2(block) + ceil_div(n, 2 * block)
//@ grid: ceil_div(n, 2 * block)
//@ needs: 75
//@ registers: 20
//@ bytes: 4 * n
//@ flops: n

// x: [n], out: [1], which the host sets to 0
//
// In rung 04 half of the threads are idle after their load. Here there are half as many: each one loads two elements and adds
// them in a register, which is the first round of the tree without shared memory or barrier. Two loads are on their way at once,
// twice the bytes in flight; a block sums 512 elements, and the atomic additions are halved as well.
__global__ void sum(const float* x, float* out, int n) {
  constexpr int kMostThreads = 1024;
  __shared__ float partial[kMostThreads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * (2 * blockDim.x) + thread;
  const float first = i < n ? x[i] : 0;
  const float second = i < n - static_cast<int>(blockDim.x) ? x[i + blockDim.x] : 0;
  partial[thread] = first + second;
  __syncthreads();  // the tree below adds what other threads have stored

  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (thread < stride) partial[thread] += partial[thread + stride];
    __syncthreads();  // the next round reads this round's sums
  }

  if (thread == 0) atomicAdd(out, partial[0]);
}
