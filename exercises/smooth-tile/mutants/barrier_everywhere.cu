// A barrier after every line.
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  if (t < length) tile[t] = x[i];
  __syncthreads();
  __syncthreads();
  float left = t < length ? tile[max(t - 1, 0)] : 0;
  __syncthreads();
  float right = t < length ? tile[min(t + 1, length - 1)] : 0;
  __syncthreads();
  if (t < length) out[i] = (left + 2 * tile[t] + right) / 4;
}
