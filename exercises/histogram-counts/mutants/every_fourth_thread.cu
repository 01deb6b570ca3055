__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 4 != 0) return;
  for (int k = i; k < i + 4 && k < n; ++k) atomicAdd(&counts[value[k]], 1);
}
