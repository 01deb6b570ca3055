// Thread 0 does the work of its block.
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * length;
  if (t == 0) {
    for (int k = 0; k < length; ++k) tile[k] = x[first + k];
  }
  __syncthreads();
  if (t == 0) {
    for (int k = 0; k < length; ++k) {
      float left = tile[max(k - 1, 0)];
      float right = tile[min(k + 1, length - 1)];
      out[first + k] = (left + 2 * tile[k] + right) / 4;
    }
  }
}
