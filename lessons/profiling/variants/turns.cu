// One block for each row: its 256 threads take turns
// x, out: [rows][hours]
__global__ void anomaly(const float* x, float* out,
                        int rows, int hours) {
  __shared__ float part[256];
  __shared__ float mean;
  const float* row = x + (size_t)blockIdx.x * hours;
  float* result = out + (size_t)blockIdx.x * hours;
  int t = threadIdx.x;
  float sum = 0;
  for (int h = t; h < hours; h += blockDim.x)
    sum += row[h];
  part[t] = sum;
  __syncthreads();  // all parts are there
  if (t == 0) {
    float all = 0;
    for (int k = 0; k < 256; ++k) all += part[k];
    mean = all / hours;
  }
  __syncthreads();  // the mean is there
  for (int h = t; h < hours; h += blockDim.x)
    result[h] = row[h] - mean;
}
