__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x % 32;
  if (l < 24 && i < n) aside[i] = x[i];
  if (l >= 16 && l < 24 && i + 8 < n) aside[i + 8] = x[i + 8];
}
__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x % 32;
  if (l < 24 && i < n) x[i] = aside[n - 1 - i];
  if (l >= 16 && l < 24 && i + 8 < n) x[i + 8] = aside[n - 9 - i];
}
