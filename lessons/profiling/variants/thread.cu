// One thread for each row
// x, out: [rows][hours]
__global__ void anomaly(const float* x, float* out,
                        int rows, int hours) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* row = x + (size_t)r * hours;
  float* result = out + (size_t)r * hours;
  float sum = 0;
  for (int h = 0; h < hours; ++h) sum += row[h];
  float mean = sum / hours;
  for (int h = 0; h < hours; ++h)
    result[h] = row[h] - mean;
}
