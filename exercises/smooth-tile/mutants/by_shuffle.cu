__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x, lane = t % 32;
  int i = blockIdx.x * length + t;
  float own = t < length ? x[i] : 0;
  if (t < length && (lane == 0 || lane == 31)) tile[t] = own;
  __syncthreads();
  float left = __shfl_up_sync(~0u, own, 1);
  float right = __shfl_down_sync(~0u, own, 1);
  if (t >= length) return;
  if (t == 0) left = own;
  else if (lane == 0) left = tile[t - 1];
  if (t == length - 1) right = own;
  else if (lane == 31) right = tile[t + 1];
  out[i] = (left + 2 * own + right) / 4;
}
