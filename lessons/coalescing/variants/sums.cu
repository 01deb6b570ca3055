// Thread t adds up a chunk of its own.
__global__ void chunk(const float* mass,
    float* sums, int n, int items) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  float sum = 0;
  for (int k = 0; k < items; ++k) {
    sum += mass[t * items + k];
  }
  sums[t] = sum;
}

// In each round, neighbours read neighbours.
__global__ void interleaved(const float* mass,
    float* sums, int n, int items) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  float sum = 0;
  for (int k = 0; k < items; ++k) {
    sum += mass[k * n + t];
  }
  sums[t] = sum;
}

// The same, four neighbours at once: 16 B a lane.
__global__ void vectors(const float* mass,
    float* sums, int n, int items) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  auto in4 = reinterpret_cast<const float4*>(mass);
  float sum = 0;
  for (int k = 0; k < items / 4; ++k) {
    float4 v = in4[k * n + t];
    sum += v.x + v.y + v.z + v.w;
  }
  for (int k = items / 4 * 4; k < items; ++k) {
    sum += mass[k * n + t];
  }
  sums[t] = sum;
}
