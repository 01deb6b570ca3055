#include <cuda_fp16.h>

__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) reinterpret_cast<__half*>(aside)[i] = __float2half(x[i]);
}

__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = __half2float(reinterpret_cast<const __half*>(aside)[n - 1 - i]);
}
