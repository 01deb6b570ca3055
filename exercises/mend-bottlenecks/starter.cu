// Three kernels that are right and slow. What each of them
// did so far stands in it as a comment.

// A factor for each column: in, out: [rows][columns],
// factor: [columns]. The launch has a thread for each row.
__global__ void strided(const float* in,
                        const float* factor, float* out,
                        int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  // So far a thread has a row:
  // if (i < rows)
  //   for (int c = 0; c < columns; ++c)
  //     out[i * columns + c] =
  //         factor[c] * in[i * columns + c];
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
  // So far:
  // if (i < n && i % 4 == 0) out[i / 4] = corrected(in[i]);
}

// The sum of all readings: in: [n], *total is 0 at first.
// The launch mostly has fewer threads than readings.
__global__ void serial_atomics(const float* in,
                               float* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  // So far:
  // for (; i < n; i += threads) atomicAdd(total, in[i]);
}
