//@ idea: reads the warps' sums before they are there
//@ caught: race
//@ block: 256
//@ grid: rows

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  __shared__ float of_warps[8];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += 256) sum += expf(x[blockIdx.x * columns + i]);
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, distance);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  sum = 0;
  for (int warp = 0; warp < 8; ++warp) sum += of_warps[warp];
  for (int i = threadIdx.x; i < columns; i += 256)
    y[blockIdx.x * columns + i] = expf(x[blockIdx.x * columns + i]) / sum;
}
