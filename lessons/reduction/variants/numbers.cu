// Sums in a type that the host chooses.
#if defined(F16)
#include <cuda_fp16.h>
using Number = __half;
#elif defined(BF16)
#include <cuda_bf16.h>
using Number = __nv_bfloat16;
#else
using Number = float;
#endif

// The sum of the block's values, in thread 0. Blocks have
// 256 threads.
__device__ Number block_sum(Number value) {
  __shared__ Number part[256];
  int t = threadIdx.x;
  part[t] = value;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s) part[t] = part[t] + part[t + s];
    __syncthreads();
  }
  return part[0];
}

// One thread counts to n by ones. Once an addition changes
// nothing, no later one does.
__global__ void count_in_line(float* out, int n) {
  const Number one = 1.0f;
  Number sum = 0.0f;
  for (int i = 0; i < n; ++i) {
    const Number next = sum + one;
    if (next == sum) break;
    sum = next;
  }
  *out = float(sum);
}

// sums[block]: the block's share of n ones
__global__ void count(float* sums, int n) {
  const Number one = 1.0f;
  Number own = 0.0f;
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += threads) own = own + one;
  const Number sum = block_sum(own);
  if (threadIdx.x == 0) sums[blockIdx.x] = float(sum);
}

// out[0]: the sum of x: [n], by one block
__global__ void join(const float* x, float* out, int n) {
  Number own = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    own = own + Number(x[i]);
  const Number sum = block_sum(own);
  if (threadIdx.x == 0) out[0] = float(sum);
}

// out[k]: the sum of the first 2^k elements of x, by one
// thread
__global__ void in_line(const float* x, float* out) {
  Number sum = 0.0f;
  for (int i = 0; i < 1 << threadIdx.x; ++i)
    sum = sum + Number(x[i]);
  out[threadIdx.x] = float(sum);
}

// The same by one block for each k
__global__ void by_tree(const float* x, float* out) {
  Number own = 0.0f;
  for (int i = threadIdx.x; i < 1 << blockIdx.x;
       i += blockDim.x)
    own = own + Number(x[i]);
  const Number sum = block_sum(own);
  if (threadIdx.x == 0) out[blockIdx.x] = float(sum);
}
