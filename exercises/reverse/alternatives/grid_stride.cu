// Loops that any launch would do, and the way back by where an element goes.
__global__ void set_aside(const float* x, float* aside, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    aside[i] = x[i];
}

__global__ void put_back(const float* aside, float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[n - 1 - i] = aside[i];
}
