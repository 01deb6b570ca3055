__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  if (t < length) tile[t] = x[i];
  if (length <= 32 && blockIdx.x % 2) __syncwarp();
  else { __syncthreads(); if (length <= 32) __syncthreads(); }
  if (t < length) {
    float l = tile[t > 0 ? t - 1 : 0];
    float r = tile[t + 1 < length ? t + 1 : t];
    out[i] = (l + 2 * tile[t] + r) / 4;
  }
}
