__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) aside[n - 1 - i] = x[i];
}
__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { float keep = x[i]; float v = aside[i]; x[i] = keep == v ? keep : v; }
}
