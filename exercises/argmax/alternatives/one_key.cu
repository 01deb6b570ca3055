// A larger value has the larger key; of equal values that in front.
// Adding 0 makes +0 of -0, and nothing else of anything.
__device__ unsigned long long key_of(float value, int at) {
  unsigned bits = __float_as_uint(value + 0.0f);
  bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return (unsigned long long)bits << 32 | (0xffffffffu - at);
}

// place[r] = where the largest value of row r is; of
// several the first one
// x: [rows][columns], place: [rows]; one block per row
__global__ void argmax(const float* x, int* place,
                       int columns) {
  __shared__ unsigned long long best;
  const float* row = x + (long long)blockIdx.x * columns;
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  unsigned long long own = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    own = max(own, key_of(row[c], c));
  for (int step = 16; step > 0; step /= 2)
    own = max(own, __shfl_down_sync(0xffffffff, own, step));
  if (threadIdx.x % 32 == 0) atomicMax(&best, own);
  __syncthreads();
  if (threadIdx.x == 0)
    place[blockIdx.x] = 0xffffffffu - (unsigned)best;
}
