// Each thread keeps what it loads: KEPT times four readings
// x, out: [rows][hours]; hours is a multiple of 4
__device__ float sum_of_warp(float v) {
  for (int step = 16; step > 0; step /= 2)
    v += __shfl_xor_sync(0xffffffff, v, step);
  return v;
}

__global__ void anomaly(const float* x, float* out,
                        int rows, int hours) {
  __shared__ float part[8];  // one for each warp
  size_t first = (size_t)blockIdx.x * hours;
  auto row = reinterpret_cast<const float4*>(x + first);
  auto result = reinterpret_cast<float4*>(out + first);
  int t = threadIdx.x;
  float4 v[KEPT] = {};
  float sum = 0;
  for (int k = 0; k < KEPT; ++k) {
    int h = k * 256 + t;
    if (h < hours / 4) v[k] = row[h];
  }
  for (int k = 0; k < KEPT; ++k)
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  sum = sum_of_warp(sum);
  if (t % 32 == 0) part[t / 32] = sum;
  __syncthreads();  // all parts are there
  sum = sum_of_warp(t % 32 < 8 ? part[t % 32] : 0);
  float mean = sum / hours;
  for (int k = 0; k < KEPT; ++k) {
    int h = k * 256 + t;
    if (h < hours / 4)
      result[h] = {v[k].x - mean, v[k].y - mean,
                   v[k].z - mean, v[k].w - mean};
  }
}
