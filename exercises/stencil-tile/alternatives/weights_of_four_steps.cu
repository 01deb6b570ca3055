// Four steps at once, with the weights that they make together.
__global__ void ring(const float* x, float* out, int n) {
  __shared__ float tile[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 120 + t - 4;
  tile[t] = x[(i % n + n) % n];
  __syncthreads();
  if (t < 4 || t >= 124 || i >= n) return;
  const float weight[9] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
  float sum = 0;
  for (int k = 0; k < 9; ++k) sum += weight[k] * tile[t + k - 4];
  out[i] = sum / 256;
}
