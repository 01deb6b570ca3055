#include <cuda_fp16.h>

__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float factor = __half2float(__float2half(a));
  if (i < n) y[i] = factor * x[i] + y[i];
}
