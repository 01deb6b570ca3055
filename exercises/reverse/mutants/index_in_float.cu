__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) aside[i] = x[i];
}

__global__ void put_back(const float* aside, float* x,
                         int n) {
  float i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[n - 1 - (int)i] = aside[(int)i];
}
