__global__ void warp_sum(const float* x, float* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, b = i - lane + 4 * lane;
  float sum = 0;
  if (lane < 8) {
    if (b + 3 < n) { float4 f = *(const float4*)(x + b); sum = f.x + f.y + f.z + f.w; }
    else for (int k = 0; k < 4; ++k) if (b + k < n) sum += x[b + k];
  }
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
  if (i < n && i % 32 == 0) sums[i / 32] = sum;
}
