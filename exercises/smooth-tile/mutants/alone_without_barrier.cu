__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  if (t < length) tile[t] = x[i];
  if (length > 1) __syncthreads();
  if (t < length) {
    float left = tile[max(t - 1, 0)];
    float right = tile[min(t + 1, length - 1)];
    out[i] = (left + 2 * tile[t] + right) / 4;
  }
}
