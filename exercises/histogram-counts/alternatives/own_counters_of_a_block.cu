// counts[b] grows by the number of values that are b.
// value: [n], each from 0 to bins - 1; counts: [bins]
__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int mine[256];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&mine[value[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x)
    if (mine[b] > 0) atomicAdd(&counts[b], mine[b]);
}
