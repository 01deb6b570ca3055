__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) aside[i] = x[i];
}

__global__ void put_back(const float* aside, float* x,
                         int n) {
  __shared__ float part[1024];
  int first = blockIdx.x * blockDim.x;
  int t = threadIdx.x, count = min(int(blockDim.x), n - first);
  if (t < count) part[t] = aside[first + t];
  if (t < count) x[n - first - count + t] = part[count - 1 - t];
}
