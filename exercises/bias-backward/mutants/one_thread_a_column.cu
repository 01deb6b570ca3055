// db[c] = the sum of dy[r][c] over all rows r
// dy: [rows][columns], db: [columns]
// a block: 32 x 8 threads, for 32 columns
__global__ void bias_gradient(const float* dy, float* db,
                              int rows, int columns) {
  int column = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.y != 0 || column >= columns) return;
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum += dy[row * columns + column];
  db[column] = sum;
}
