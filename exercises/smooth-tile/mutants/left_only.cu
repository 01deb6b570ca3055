// The right neighbour is forgotten.
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  if (t < length) tile[t] = x[i];
  __syncthreads();
  if (t < length) {
    float left = tile[max(t - 1, 0)];
    out[i] = (left + tile[t]) / 2;
  }
}
