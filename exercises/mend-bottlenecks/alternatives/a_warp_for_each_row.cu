// A factor for each column: in, out: [rows][columns],
// factor: [columns]. The launch has a thread for each row.
__global__ void strided(const float* in,
                        const float* factor, float* out,
                        int rows, int columns) {
  int warps = (gridDim.x * blockDim.x + 31) / 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = i / 32; r < rows; r += warps)
    for (int c = i % 32; c < columns; c += 32)
      out[r * columns + c] = factor[c] * in[r * columns + c];
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
  if (4 * i < n) out[i] = corrected(in[4 * i]);
}

// The sum of all readings: in: [n], *total is 0 at first.
// The launch has fewer threads than readings.
__global__ void serial_atomics(const float* in,
                               float* total, int n) {
  __shared__ float part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  double sum = 0;
  for (; i < n; i += threads) sum += in[i];
  float own = float(sum);
  for (int step = 16; step > 0; step /= 2)
    own += __shfl_xor_sync(0xffffffff, own, step);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float all = 0;
  for (int w = 0; w < (blockDim.x + 31) / 32; ++w) all += part[w];
  atomicAdd(total, all);
}
