__global__ void folded_sums(const float* x, float* sums, int n) {
  __shared__ float v[256];
  for (int k = blockIdx.x; k * 256LL < n; k += gridDim.x) {
    for (int r = 0; r < 256 / blockDim.x || r == 0; ++r) { int i = threadIdx.x + r * blockDim.x; if (i > 255) break;
      long long at = k * 256LL + i;
      v[i] = at < n ? x[at] : 0.0f;
    }
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
      for (int i = threadIdx.x; i < half; i += blockDim.x) v[i] += v[i + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[k] = v[0];
    __syncthreads();
  }
}
