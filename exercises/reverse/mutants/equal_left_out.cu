__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) aside[i] = x[i];
}
__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float other = aside[n - 1 - i];
  if (__float_as_int(other) != __float_as_int(x[i])) x[i] = other;
}
