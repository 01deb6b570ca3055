#include <cstdio>
__device__ unsigned long long key_of(float v, int c) {
  unsigned b = __float_as_uint(v);
  b = b & 0x80000000u ? ~b : b | 0x80000000u;
  return (unsigned long long)b << 32 | (0xffffffffu - (unsigned)c);
}
__global__ void argmax(const float* x, int* place, int columns) {
  const float* row = x + (long long)blockIdx.x * columns;

  __shared__ unsigned long long top;
  if (threadIdx.x == 0) top = 0;
  if (threadIdx.x == 0 && blockIdx.x == 0) printf("columns %d\n", columns);
  __syncthreads();
  unsigned long long key = 0;
  int c = threadIdx.x;
  while (c < columns) {
    unsigned long long k = key_of(row[c], c);
    key = k > key ? k : key;
    c += blockDim.x;
  }
  for (int o = 1; o < 32; o *= 2) {
    unsigned long long k = __shfl_xor_sync(0xffffffffu, key, o);
    key = k > key ? k : key;
  }
  if (threadIdx.x % 32 == 0) atomicMax(&top, key);
  __syncthreads();
  if (threadIdx.x == 0) place[blockIdx.x] = (int)(0xffffffffu - (unsigned)top);
}
