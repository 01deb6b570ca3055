// The largest use: within a block in steps of 1, 2, 4
// and so on, then over all blocks. *peak is 0 at first.
__global__ void find_peak(const int* used, int* peak,
                          int n) {
  __shared__ int m[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  m[t] = i < n ? used[i] : 0;
  __syncthreads();
  for (int s = 1; s < BLOCK; s *= 2) {
    if (t + s < BLOCK) m[t] = max(m[t], m[t + s]);
    __syncthreads();
  }
  if (t == 0) atomicMax(peak, m[0]);
}
