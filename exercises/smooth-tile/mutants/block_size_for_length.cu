// Recordings are taken to be as long as a block has threads.
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  if (t < length && i < gridDim.x * length) tile[t] = x[i];
  __syncthreads();
  if (t < length && i < gridDim.x * length) {
    float left = tile[max(t - 1, 0)];
    float right = tile[min(t + 1, length - 1)];
    out[i] = (left + 2 * tile[t] + right) / 4;
  }
}
