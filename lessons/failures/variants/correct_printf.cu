// Says which readings come from a station that there is not.
#include <cstdio>

__global__ void correct(
    float* t, const int* station,
    const float* drift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int s = station[i];
    if (s < 0 || s >= 8) {
      printf("reading %d: station %d\n", i, s);
    }
    t[i] -= drift[s];
  }
}
