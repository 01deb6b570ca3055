// A factor for each column: in, out: [rows][columns],
// factor: [columns]. The launch has a thread for each row.
__global__ void strided(const float* in,
                        const float* factor, float* out,
                        int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int count = rows * columns;
  auto in4 = reinterpret_cast<const float4*>(in);
  auto out4 = reinterpret_cast<float4*>(out);
  for (int k = i; k < count / 4; k += threads) {
    float4 v = in4[k];
    int e = 4 * k;
    out4[k] = {factor[e % columns] * v.x,
               factor[(e + 1) % columns] * v.y,
               factor[(e + 2) % columns] * v.z,
               factor[(e + 3) % columns] * v.w};
  }
  for (int e = count / 4 * 4 + i; e < count; e += threads)
    out[e] = factor[e % columns] * in[e];
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
  auto in4 = reinterpret_cast<const float4*>(in);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int k = i; k < n / 4; k += threads) {
    float4 v = in4[k];
    sum += v.x + v.y + v.z + v.w;
  }
  for (int k = n / 4 * 4 + i; k < n; k += threads) sum += in[k];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}
