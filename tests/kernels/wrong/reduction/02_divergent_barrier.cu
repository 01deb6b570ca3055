//@ idea: only those who work in a round come to its barrier
//@ caught: barrier
//@ block: 256
//@ grid: ceil_div(n, block)
//@ zero: out
//@ atomics: f32
//@ depth: n

__global__ void sum(const float* x, float* out, int n) {
  __shared__ float partial[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) {
      partial[threadIdx.x] += partial[threadIdx.x + stride];
      __syncthreads();
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}
