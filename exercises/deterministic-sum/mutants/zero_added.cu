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
    for (int s = 128; s > 0; s /= 2) {
      for (int i = threadIdx.x; i < s; i += blockDim.x)
        part[i] += part[i + s];
      __syncthreads();  // this round's sums are there
    }
    // Thread 0 alone writes part[0], so the next stretch cannot overwrite it too early.
    if (threadIdx.x == 0) sums[k] = part[0] + (n < 0 ? 1.0f : 0.0f);
  }
}
