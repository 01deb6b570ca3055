__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) aside[i] = x[i];
  if (threadIdx.x == 0 && n > 0) aside[0] = x[0];
}

__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = aside[n - 1 - i];
}
