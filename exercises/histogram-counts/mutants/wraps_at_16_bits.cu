__global__ void count(const int* value, int* counts, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicInc((unsigned*)&counts[value[i]], 65535);
}
