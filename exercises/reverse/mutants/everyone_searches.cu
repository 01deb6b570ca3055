__global__ void set_aside(const float* x, float* aside, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) aside[i] = x[i];
}

__global__ void put_back(const float* aside, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < blockDim.x; ++k) {  // walks over its block's elements to find its own
    if (k == threadIdx.x && i < n) x[i] = aside[n - 1 - i];
    __syncwarp();  // so that the compiler cannot skip the walk
  }
}
