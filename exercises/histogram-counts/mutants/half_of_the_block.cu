__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int half = (blockDim.x + 1) / 2;
  int begin = blockIdx.x * blockDim.x;
  if (threadIdx.x >= half) return;
  for (int k = threadIdx.x; k < blockDim.x; k += half)
    if (begin + k < n) atomicAdd(&counts[value[begin + k]], 1);
}
