__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd_block(&counts[value[i]], 1);
}
