//@ idea: a block a filter: its threads take neighbouring pixels, and add up their sums by shuffles
//@ block: 256
//@ grid: k
//@ registers: 40
//@ depth: ceil_div(n * pixels, 256) + 13
//@ bytes: 4 * (n * k * pixels + k)
//@ flops: n * k * pixels

// dbias[filter] = sum over image, pixel of dy[image][filter][pixel]
// dy: [n][k][pixels], dbias: [k]
//
// Every word of dy is read once, by neighbouring threads side by side: what is left is the
// bandwidth of reading it. A layer of 64 filters makes 64 blocks, half of an H200's 132
// multiprocessors; with fewer, the images would be split too.
__global__ void convolution_backward_bias(const float* dy, float* dbias, int n, int k, int pixels) {
  __shared__ float warp_sums[32];
  const int filter = blockIdx.x;
  float sum = 0;
  for (int i = threadIdx.x; i < n * pixels; i += blockDim.x) {
    sum += dy[(i / pixels * k + filter) * pixels + i % pixels];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();  // all warps' sums are there
  if (threadIdx.x == 0) {
    sum = 0;
    for (int warp = 0; warp < blockDim.x / 32; ++warp) sum += warp_sums[warp];
    dbias[filter] = sum;
  }
}
