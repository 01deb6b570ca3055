// One half of a program: what it shares with second.cu, and what both have for themselves under one name.
#include "common.h"

static __device__ int scale = 2;
static __device__ __noinline__ int own(int x) { return x * scale; }
__device__ int offset = 100;
__constant__ int weights[3] = {1, 10, 1000};

__global__ void first(int* out) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = own(threadIdx.x);
  __syncthreads();
  const Shape square(3);
  out[threadIdx.x] = add(scratch[1 - threadIdx.x], square.area());
  printf("first %d\n", out[threadIdx.x]);
  if (threadIdx.x == 0) out[2] = count_call(1);
}
