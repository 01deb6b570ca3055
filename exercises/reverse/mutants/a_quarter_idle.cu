__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 4 == 3) return;
  if (i < n) aside[i] = x[i];
  if (i % 4 == 2 && i + 1 < n) aside[i + 1] = x[i + 1];
}
__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = aside[n - 1 - i];
}
