// Three kernels whose bottlenecks are mended.

// A factor for each column: in, out: [rows][columns],
// factor: [columns]. The launch has a thread for each row.
__global__ void strided(const float* in,
                        const float* factor, float* out,
                        int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (; i < rows * columns; i += threads)
    out[i] = factor[i % columns] * in[i];
}

// What a reading becomes; leave it as it is.
__device__ float corrected(float x) {
  float y = 0;
  for (int k = 64; k > 0; --k) y = y * x + 1.0f / k;
  return y;
}

// Every fourth reading is corrected: in: [n],
// out: [(n + 3) / 4]. The launch has n threads.
__global__ void divergent(const float* in, float* out,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = i / 32 * 16 + i % 32;
  if (i % 32 < 16 && 4 * k < n) out[k] = corrected(in[4 * k]);
}

// The sum of all readings: in: [n], *total is 0 at first.
// The launch mostly has fewer threads than readings.
__global__ void serial_atomics(const float* in,
                               float* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (; i < n; i += threads) sum += in[i];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}
