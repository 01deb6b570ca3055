// One warp for each row
// x, out: [rows][hours]
__device__ float sum_of_warp(float v) {
  for (int step = 16; step > 0; step /= 2)
    v += __shfl_xor_sync(0xffffffff, v, step);
  return v;
}

__global__ void anomaly(const float* x, float* out,
                        int rows, int hours) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i / 32;
  int lane = i % 32;
  if (r >= rows) return;
  const float* row = x + (size_t)r * hours;
  float* result = out + (size_t)r * hours;
  float sum = 0;
  for (int h = lane; h < hours; h += 32) sum += row[h];
  float mean = sum_of_warp(sum) / hours;
  for (int h = lane; h < hours; h += 32)
    result[h] = row[h] - mean;
}
