//@ idea: one block takes all elements, and adds up its threads' sums by shuffles
//@ block: 256
//@ grid: 1
//@ registers: 40
//@ depth: ceil_div(n, 256) + 17
//@ bytes: 8 * n
//@ flops: 3 * n

// loss = the mean of (x - target)^2      x, target: [n], loss: [1]
//
// A loss looks at what a network answers, some thousand words at most, so one block is enough, and
// the order of its additions is the same in every run.
__global__ void mean_square_error(const float* x, const float* target, float* loss, int n) {
  __shared__ float warp_sums[32];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float difference = x[i] - target[i];
    sum += difference * difference;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();  // all warps' sums are there
  if (threadIdx.x == 0) {
    sum = 0;
    for (int warp = 0; warp < blockDim.x / 32; ++warp) sum += warp_sums[warp];
    loss[0] = sum / n;
  }
}
