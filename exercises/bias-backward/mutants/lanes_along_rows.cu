__global__ void bias_gradient(const float* dy, float* db,
                              int rows, int columns) {
  // A warp takes four columns, one after the other.
  for (int i = 0; i < 4; ++i) {
    int column = blockIdx.x * 32 + threadIdx.y * 4 + i;
    if (column >= columns) return;
    float sum = 0;
    for (int row = threadIdx.x; row < rows; row += 32)
      sum += dy[row * columns + column];
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x == 0) db[column] = sum;
  }
}
