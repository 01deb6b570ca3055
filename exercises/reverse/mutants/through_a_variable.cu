// The values go through a variable of the module, and aside is for show.
__device__ float kept[1 << 20];

__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    kept[i] = x[i];
    aside[i] = 0;
  }
}

__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = kept[n - 1 - i];
}
