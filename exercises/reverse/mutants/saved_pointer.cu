// The first launch saves where aside is, and the second one ignores its argument.
__device__ float* place;

__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) place = aside;
  if (i < n) aside[i] = x[i];
}

__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = place[n - 1 - i];
}
