__global__ void folded_sums(const float* x, float* sums, int n) {
  __shared__ float v[256];
  for (int k = blockIdx.x; k * 256LL < n; k += gridDim.x) {
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
      long long at = k * 256LL + i;
      v[i] = at < n ? x[at] : 0.0f;
    }
    __syncthreads();
    int have = n - k * 256 < 256 ? n - k * 256 : 256;
    for (int half = 128; half > 0; half /= 2) {
      for (int i = threadIdx.x; i < half; i += blockDim.x) if (i + half < have) v[i] += v[i + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[k] = v[0];
    __syncthreads();
  }
}
