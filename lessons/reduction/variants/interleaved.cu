// *total, set to 0 by the host, becomes the sum
// of x: [n]
__global__ void sum(const float* x, float* total,
                    int n) {
  __shared__ float part[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();  // all have stored

  for (int s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0)
      part[t] += part[t + s];
    __syncthreads();  // this round's sums are there
  }

  if (t == 0) atomicAdd(total, part[0]);
}
