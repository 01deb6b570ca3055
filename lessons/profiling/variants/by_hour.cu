// One thread for each row, and the table stored by hour
// x, out: [hours][rows]
__global__ void anomaly(const float* x, float* out,
                        int rows, int hours) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int h = 0; h < hours; ++h)
    sum += x[(size_t)h * rows + r];
  float mean = sum / hours;
  for (int h = 0; h < hours; ++h)
    out[(size_t)h * rows + r] = x[(size_t)h * rows + r] - mean;
}
