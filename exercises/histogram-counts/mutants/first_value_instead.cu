__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const volatile int* mine = value + (i < n ? i : 0);
  int v = *mine;
  if (i < n) atomicAdd(&counts[v], 1);
}
