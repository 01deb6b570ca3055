// The barrier counts the samples on the way; thread t does the sample that is t before the end.
__global__ void smooth_tile(const float* x, float* out, int length) {
  __shared__ float tile[256];
  int t = length - 1 - int(threadIdx.x);
  int i = blockIdx.x * length + t;
  if (t >= 0) tile[t] = x[i];
  int last = __syncthreads_count(t >= 0) - 1;
  if (t < 0) return;
  float left = t > 0 ? tile[t - 1] : tile[0];
  float right = t < last ? tile[t + 1] : tile[last];
  out[i] = 0.25f * left + 0.5f * tile[t] + 0.25f * right;
}
