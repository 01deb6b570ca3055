__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  if (blockIdx.x % 2 != 0) return;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[value[i]], 1);
  int next = i + blockDim.x;
  if (next < n) atomicAdd(&counts[value[next]], 1);
}
