// counts[b] grows by the number of values that are b.
// value: [n], each from 0 to bins - 1; counts: [bins]
__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x;
  for (int k = i; k < n; k += step) atomicAdd(counts + value[k], 1);
}
