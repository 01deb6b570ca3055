// Kernels whose counters can be worked out by hand.

__global__ void copy_strided(const float* x, float* y, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i * stride];
}
__global__ void copy_offset(const float* x, float* y, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i + offset] = x[i];
}
__global__ void copy_wide(const float4* x, float4* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void shared_strided(float* y, int stride) {
  __shared__ float held[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x) held[i] = i;
  __syncthreads();
  y[threadIdx.x] = held[threadIdx.x * stride];
}
__global__ void part(int* y, int lanes) {
  const int lane = threadIdx.x;
  int v = lane;
  if (lane < lanes) {
    for (int k = 0; k < 3; ++k) v = atomicAdd(y + 64, 1) + v;
  }
  y[lane] = v;
}
__global__ void collide(unsigned* y, int spread) { atomicAdd(y + threadIdx.x / spread, 1u); }
__global__ void meet(int* y) {
  for (unsigned k = 0; k < 2 * blockIdx.x + 1; ++k) __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void share(const int* x, int* y, int workers, int rounds, int loaders) {
  const int i = threadIdx.x;
  int v = 0;
  if (i < loaders) v = x[i];
  if (i < workers) {
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) v = v * 3 + k;
  }
  y[i] = v;
}
