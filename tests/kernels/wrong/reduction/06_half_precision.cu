//@ idea: sums in FP16 and says FP32
//@ caught: values
//@ block: 1
//@ grid: 1
//@ depth: n

#include <cuda_fp16.h>

__global__ void sum(const float* x, float* out, int n) {
  __half total = __float2half(0);
  for (int i = 0; i < n; ++i) total = __hadd(total, __float2half(x[i]));
  *out = __half2float(total);
}
