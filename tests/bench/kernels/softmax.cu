// One block of 256 threads a row: its maximum, the sum of its exponentials, and each exponential's share of that sum.
struct Largest {
  __device__ static float join(float a, float b) { return fmaxf(a, b); }
};
struct Sum {
  __device__ static float join(float a, float b) { return a + b; }
};

/// Over the whole block; every thread gets it.
template <class Join>
__device__ float over_block(float value) {
  __shared__ float of_warp[8];
  for (int offset = 16; offset > 0; offset /= 2)
    value = Join::join(value, __shfl_xor_sync(0xffffffffu, value, offset));
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  float all = of_warp[0];
  for (int warp = 1; warp < 8; ++warp) all = Join::join(all, of_warp[warp]);
  return all;
}

__global__ void softmax(const float* from, float* to, int columns) {
  const float* row = from + blockIdx.x * columns;
  float* result = to + blockIdx.x * columns;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) largest = fmaxf(largest, row[i]);
  largest = over_block<Largest>(largest);
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    const float e = expf(row[i] - largest);
    result[i] = e;
    sum += e;
  }
  const float share = 1 / over_block<Sum>(sum);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) result[i] *= share;
}
