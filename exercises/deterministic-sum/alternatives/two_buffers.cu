// sums[k] = the sum of the 256 values of x from 256 * k on,
// folded: halves of 128, 64, ..., 1 values
// x: [n], sums: [ceil(n / 256)]
__global__ void folded_sums(const float* x, float* sums,
                            int n) {
  __shared__ float part[2][256];
  int now = 0;
  for (int k = blockIdx.x; k * 256LL < n; k += gridDim.x) {
    float* p = part[now];
    now = 1 - now;
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
      long long place = k * 256LL + i;
      p[i] = place < n ? x[place] : 0;
    }
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
      for (int i = threadIdx.x; i < s; i += blockDim.x)
        p[i] += p[i + s];
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[k] = p[0];
  }
}
