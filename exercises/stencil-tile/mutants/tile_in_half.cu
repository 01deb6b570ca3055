#include <cuda_fp16.h>

__global__ void ring(const float* x, float* out, int n) {
  __shared__ __half tile[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 120 + t - 4;
  tile[t] = __float2half(x[(i % n + n) % n]);
  __syncthreads();
  int left = max(t - 1, 0), right = min(t + 1, 127);
  for (int step = 0; step < 4; ++step) {
    float next = (__half2float(tile[left]) + 2 * __half2float(tile[t]) +
                  __half2float(tile[right])) / 4;
    __syncthreads();
    tile[t] = __float2half(next);
    __syncthreads();
  }
  if (t >= 4 && t < 124 && i < n) out[i] = __half2float(tile[t]);
}
