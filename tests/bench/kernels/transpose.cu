// A block of 32 x 8 threads turns a tile of 32 x 32 over in shared memory, whose rows are padded against bank conflicts.
__global__ void transpose(const float* from, float* to, int n) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (x < n && y + i < n) tile[threadIdx.y + i][threadIdx.x] = from[(y + i) * n + x];
  }
  __syncthreads();
  const int to_x = blockIdx.y * 32 + threadIdx.x, to_y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (to_x < n && to_y + i < n) to[(to_y + i) * n + to_x] = tile[threadIdx.x][threadIdx.y + i];
  }
}
