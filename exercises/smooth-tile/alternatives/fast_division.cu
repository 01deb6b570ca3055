__global__ void __launch_bounds__(256)
    smooth_tile(const float* __restrict__ x,
                float* __restrict__ out, int length) {
  __shared__ float tile[256];
  const int t = threadIdx.x, first = blockIdx.x * length;
  if (t < length) tile[t] = __ldg(&x[first + t]);
  __syncthreads();
  if (t >= length) return;
  const float own = tile[t];
  const float left = t == 0 ? own : tile[t - 1];
  const float right = t == length - 1 ? own : tile[t + 1];
  out[first + t] = __fdividef(left + 2.0f * own + right, 4.0f);
}
