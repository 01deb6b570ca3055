__global__ void count(const int* value, int* counts, int n, int bins) {
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x * blockDim.x + threadIdx.x < n) atomicAdd(&counts[value[i]], 1);
}
