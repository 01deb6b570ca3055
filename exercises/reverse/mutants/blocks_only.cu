__global__ void set_aside(const float* x, float* aside, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) aside[i] = x[i];
}

__global__ void put_back(const float* aside, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n && j < n) x[i] = aside[j];
}
