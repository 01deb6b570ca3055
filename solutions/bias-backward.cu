// db[c] = the sum of dy[r][c] over all rows r
// dy: [rows][columns], db: [columns]
// a block: 32 x 8 threads, for 32 columns
__global__ void bias_gradient(const float* dy, float* db,
                              int rows, int columns) {
  __shared__ float part[8][32];
  int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (column < columns) {
    for (int row = threadIdx.y; row < rows; row += 8)
      sum += dy[row * columns + column];
  }
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();  // all eight parts of each column are there
  if (threadIdx.y == 0 && column < columns) {
    float total = 0;
    for (int y = 0; y < 8; ++y) total += part[y][threadIdx.x];
    db[column] = total;
  }
}
