// No unused float: each row of the tile has an order of its own.
__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  __shared__ float tile[32][32];
  int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    int row = blockIdx.y * 32 + i;
    if (row < rows && column < columns)
      tile[i][threadIdx.x ^ i] = x[row * columns + column];
  }
  __syncthreads();
  int row = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    int to = blockIdx.x * 32 + j;
    if (row < rows && to < columns)
      out[to * rows + rows - 1 - row] = tile[threadIdx.x][j ^ threadIdx.x];
  }
}
