//@ idea: reads and writes the same buffer in one round
//@ caught: race
//@ block: 256
//@ grid: min(n, 1)
//@ depth: n

__global__ void scan(const float* x, float* out, int n) {
  __shared__ float sums[256];
  float carry = 0;
  for (int begin = 0; begin < n; begin += 256) {
    const int i = begin + threadIdx.x;
    sums[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < 256; offset *= 2) {
      if (threadIdx.x >= offset) sums[threadIdx.x] += sums[threadIdx.x - offset];
      __syncthreads();
    }
    if (i < n) out[i] = carry + sums[threadIdx.x];
    carry += sums[255];
    __syncthreads();
  }
}
