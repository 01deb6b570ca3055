#include <cuda_fp16.h>

__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ __half tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  if (t < length) tile[t] = __float2half(x[i]);
  __syncthreads();
  if (t < length) {
    float left = __half2float(tile[max(t - 1, 0)]);
    float right = __half2float(tile[min(t + 1, length - 1)]);
    out[i] = (left + 2 * __half2float(tile[t]) + right) / 4;
  }
}
