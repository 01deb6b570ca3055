// The largest of n uses. *peak is 0 at first.
__global__ void find_peak(const int* used, int* peak,
                          int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) {
    int mine = used[i];
    if (mine > atomicAdd(peak, 0))  // an atomic read
      atomicExch(peak, mine);
  }
}
