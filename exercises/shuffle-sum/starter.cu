// *total, which the host sets to 0, becomes the sum of
// x: [n]
__global__ void sum(const float* x, float* total, int n) {
  int threads = gridDim.x * blockDim.x;
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += threads)
    value += x[i];
  // bring the values of the block together first
  atomicAdd(total, value);
}
