__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = value[i < n ? i : 0];
  atomicAdd(&counts[v], i < n);
}
