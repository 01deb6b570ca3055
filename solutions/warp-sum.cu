// sums[k] = x[32 k] + ... + x[32 k + 31]; the last
// stretch may be shorter.
// x: [n], sums: [ceil(n / 32)]
__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // A lane without an element adds 0, so that all 32 lanes reach every shuffle.
  float sum = i < n ? x[i] : 0;
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (i < n && i % 32 == 0) sums[i / 32] = sum;
}
