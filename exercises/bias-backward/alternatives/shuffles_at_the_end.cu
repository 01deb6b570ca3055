__global__ void bias_gradient(const float* dy, float* db,
                              int rows, int columns) {
  __shared__ float part[8][33];
  int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (column < columns) {
    for (int row = threadIdx.y; row < rows; row += 8)
      sum += dy[row * columns + column];
  }
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();  // all eight parts of each column are there
  // Eight lanes for a column, four columns for a warp.
  int mine = threadIdx.y * 4 + threadIdx.x / 8;
  float total = part[threadIdx.x % 8][mine];
  for (int step = 4; step > 0; step /= 2)
    total += __shfl_down_sync(~0u, total, step, 8);
  int stored = blockIdx.x * 32 + mine;
  if (threadIdx.x % 8 == 0 && stored < columns)
    db[stored] = total;
}
