// How much was used between two readings of a meter.
// reading: [n + 1], used: [n]; each block has a day
__global__ void used(const int* reading, int* used,
                     int n) {
  __shared__ volatile int m[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  if (i < n) m[t] = reading[i + 1];
  if (i < n) {
    int before = t > 0 ? m[t - 1] : reading[i];
    used[i] = m[t] - before;
  }
}
