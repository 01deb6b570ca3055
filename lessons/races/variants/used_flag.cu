// How much was used between two readings of a meter.
// reading: [n + 1], used: [n]; each block has a day
__global__ void used(const int* reading, int* used,
                     int n) {
  __shared__ int m[BLOCK];
  __shared__ volatile int there[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  there[t] = 0;
  __syncthreads();
  if (i < n) {
    m[t] = reading[i + 1];
    there[t] = 1;  // a flag: mine is there
    int before = reading[i];
    if (t > 0) {
      while (there[t - 1] == 0) {
      }
      before = m[t - 1];
    }
    used[i] = m[t] - before;
  }
}
