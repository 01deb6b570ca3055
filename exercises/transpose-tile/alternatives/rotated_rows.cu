// Each row of the tile begins one place further on, and wraps round.
__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  __shared__ float tile[1024];
  int top = blockIdx.y * 32, left = blockIdx.x * 32;
  int lane = threadIdx.x;
#pragma unroll
  for (int i = threadIdx.y; i < 32; i += 8)
    if (top + i < rows && left + lane < columns)
      tile[i * 32 + (lane + i) % 32] = x[(top + i) * columns + left + lane];
  __syncthreads();
#pragma unroll
  for (int j = threadIdx.y; j < 32; j += 8)
    if (top + lane < rows && left + j < columns)
      out[(left + j + 1) * rows - 1 - top - lane] = tile[lane * 32 + (j + lane) % 32];
}
