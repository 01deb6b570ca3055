__global__ void count(const int* value, int* counts, int n, int bins) {
  __shared__ int mine[256];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&mine[value[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x)
    atomicAdd(&counts[b], mine[b]);
}
