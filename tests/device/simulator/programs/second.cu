// The other half: see first.cu.
#include "common.h"

static __device__ int scale = 3;
static __device__ __noinline__ int own(int x) { return x + scale; }

__device__ int add(int a, int b) {
  printf("adds %d\n", a);
  return own(a) + b + offset + weights[a];
}
__device__ __noinline__ int area_of(const Shape& shape) { return shape.area(); }

__global__ void second(int* out) {
  extern __shared__ double scratch[];
  scratch[threadIdx.x] = threadIdx.x + 0.5;
  const Shape shape(static_cast<int>(scratch[threadIdx.x]) + 4);
  out[threadIdx.x] = area_of(shape) + count_call(1);
}
