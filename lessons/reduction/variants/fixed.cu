// sums[block]: the sum of what the block's threads meet in
// x: [n]. With one block, sums[0] is the sum of all.
__global__ void sum_blocks(const float* x, float* sums,
                           int n) {
  __shared__ float part[64];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float own = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n;
       i += threads)
    own += x[i];
  part[t] = own;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}
