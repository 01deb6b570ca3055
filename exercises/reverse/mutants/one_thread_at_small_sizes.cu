__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) aside[i] = x[i];
}

__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= 2000) {
    if (i < n) x[i] = aside[n - 1 - i];
  } else if (i == 0) {
    for (int k = 0; k < n; ++k) x[k] = aside[n - 1 - k];
  }
}
