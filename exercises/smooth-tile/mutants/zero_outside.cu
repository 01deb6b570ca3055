// A missing neighbour counts as 0.
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  if (t < length) tile[t] = x[i];
  __syncthreads();
  if (t < length) {
    float left = t > 0 ? tile[t - 1] : 0;
    float right = t + 1 < length ? tile[t + 1] : 0;
    out[i] = (left + 2 * tile[t] + right) / 4;
  }
}
