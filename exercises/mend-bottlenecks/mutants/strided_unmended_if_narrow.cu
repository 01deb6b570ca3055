__global__ void strided(const float* in, const float* factor, float* out, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  if (columns < 32) {
    if (i < rows)
      for (int c = 0; c < columns; ++c) out[i * columns + c] = factor[c] * in[i * columns + c];
  }
  else for (int k = i; k < rows * columns; k += threads) out[k] = factor[k % columns] * in[k];
}
__device__ float corrected(float x) {
  float y = 0;
  for (int k = 64; k > 0; --k) y = y * x + 1.0f / k;
  return y;
}
__global__ void divergent(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (n + 3) / 4) out[i] = corrected(in[4 * i]);
}
__global__ void serial_atomics(const float* in, float* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (; i < n; i += threads) sum += in[i];
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffff, sum, o);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}
