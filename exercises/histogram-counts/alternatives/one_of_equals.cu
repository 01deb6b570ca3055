// counts[b] grows by the number of values that are b.
// value: [n], each from 0 to bins - 1; counts: [bins]
__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int mine = value[i];
  unsigned equal = __match_any_sync(__activemask(), mine);
  if (threadIdx.x % 32 == __ffs(equal) - 1)
    atomicAdd(&counts[mine], __popc(equal));
}
