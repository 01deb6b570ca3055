// counts[b] grows by the number of values that are b.
// value: [n], each from 0 to bins - 1; counts: [bins]
__device__ int taken;

__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  while (taken != 0) {
  }
  taken = 1;
  counts[value[i]]++;
  taken = 0;
}
