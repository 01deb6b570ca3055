// *total, which the host sets to 0, becomes the sum of
// x: [n]
__global__ void sum(const float* x, float* total, int n) {
  __shared__ float part[1024];
  int threads = gridDim.x * blockDim.x;
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += threads)
    value += x[i];
  int t = threadIdx.x;
  part[t] = value;
  __syncthreads();
  for (int count = blockDim.x; count > 1;) {
    int half = (count + 1) / 2;
    if (t + half < count) part[t] += part[t + half];
    count = half;
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, part[0]);
}
