// The tile has a place more at either end, filled with copies.
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[258];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  if (t < length) {
    float own = x[i];
    tile[t + 1] = own;
    if (t == 0) tile[0] = own;
    if (t == length - 1) tile[length + 1] = own;
  }
  __syncthreads();
  if (t < length)
    out[i] = (tile[t] + 2 * tile[t + 1] + tile[t + 2]) / 4;
}
