// sums[k] = the sum of the 256 values of x from 256 * k on,
// folded: halves of 128, 64, ..., 1 values
// x: [n], sums: [ceil(n / 256)]
__global__ void folded_sums(const float* x, float* sums,
                            int n) {
  int lane = threadIdx.x % 32;
  int warps = gridDim.x * (blockDim.x / 32);
  int first = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  for (int k = first; k * 256LL < n; k += warps) {
    float v[8];
    for (int j = 0; j < 8; ++j) {
      long long place = k * 256LL + 32 * j + lane;
      v[j] = place < n ? x[place] : 0;
    }
    for (int h = 4; h > 0; h /= 2)
      for (int j = 0; j < h; ++j) v[j] += v[j + h];
    float sum = v[0];
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0) sums[k] = sum;
  }
}
