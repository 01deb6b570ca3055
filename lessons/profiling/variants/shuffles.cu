// One block for each row: shuffles instead of thread 0's loop
// x, out: [rows][hours]
__device__ float sum_of_warp(float v) {
  for (int step = 16; step > 0; step /= 2)
    v += __shfl_xor_sync(0xffffffff, v, step);
  return v;
}

__global__ void anomaly(const float* x, float* out,
                        int rows, int hours) {
  __shared__ float part[8];  // one for each warp
  const float* row = x + (size_t)blockIdx.x * hours;
  float* result = out + (size_t)blockIdx.x * hours;
  int t = threadIdx.x;
  float sum = 0;
  for (int h = t; h < hours; h += blockDim.x)
    sum += row[h];
  sum = sum_of_warp(sum);
  if (t % 32 == 0) part[t / 32] = sum;
  __syncthreads();  // all parts are there
  sum = sum_of_warp(t % 32 < 8 ? part[t % 32] : 0);
  float mean = sum / hours;
  for (int h = t; h < hours; h += blockDim.x)
    result[h] = row[h] - mean;
}
