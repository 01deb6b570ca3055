// *total, which the host sets to 0, becomes the sum of
// x: [n]
__global__ void sum(const float* x, float* total, int n) {
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += threads)
    atomicAdd(total, x[i]);
}
