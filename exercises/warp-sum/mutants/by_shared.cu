__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float part[1024];
  int t = threadIdx.x, lane = t % 32;
  part[t] = i < n ? x[i] : 0;
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    float other = lane < half ? part[t + half] : 0;
    __syncwarp();
    if (lane < half) part[t] += other;
    __syncwarp();
  }
  if (i < n && lane == 0) sums[i / 32] = part[t];
}
