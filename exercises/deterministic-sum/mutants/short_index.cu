__global__ void folded_sums(const float* x, float* sums, int n) {
  __shared__ float part[256];
  for (int stretch = blockIdx.x; stretch * 256LL < n; stretch += gridDim.x) {
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
      int place = stretch * 256 + i;
      part[i] = place < n ? x[(unsigned short)place] : 0.0f;
    }
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
      for (int i = threadIdx.x; i < half; i += blockDim.x) part[i] += part[i + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[stretch] = part[0];
    __syncthreads();
  }
}
