// *out = the sum of x[i] * x[i], by one warp   x: [n]
__global__ void squares(const float* x, float* out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    sum += x[i] * x[i];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(~0u, sum, distance);
  if (threadIdx.x == 0) *out = sum;
}
