#include <cooperative_groups.h>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  auto i = cooperative_groups::this_grid().thread_rank();
  if (i < n) y[i] = a * x[i] + y[i];
}
