__global__ void count(const int* value, int* counts, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (lane >= 24) return;
  if (i < n) atomicAdd(&counts[value[i]], 1);
  if (lane < 8 && i + 24 < n) atomicAdd(&counts[value[i + 24]], 1);
}
