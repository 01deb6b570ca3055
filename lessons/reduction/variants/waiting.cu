// *total, set to 0 by the host, becomes the sum
// of x: [n]; blocks of 64 threads or more
__global__ void sum(const float* x, float* total,
                    int n) {
  __shared__ float part[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();

  for (int s = blockDim.x / 2; s > 32; s /= 2) {
    if (t < s)
      part[t] += part[t + s];
    __syncthreads();
  }

  if (t < 32) {  // one warp is left
    for (int s = 32; s > 0; s /= 2) {
      if (t < s)
        part[t] += part[t + s];
      __syncwarp();
    }
  }

  if (t == 0) atomicAdd(total, part[0]);
}
