// db[c] = the sum of dy[r][c] over all rows r
// dy: [rows][columns], db: [columns]
// a block: 32 x 8 threads, for 32 columns
__global__ void bias_gradient(const float* dy, float* db,
                              int rows, int columns) {
  int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (column < columns) {
    for (int row = threadIdx.y; row < rows; row += 8)
      sum += dy[row * columns + column];
  }
  if (threadIdx.y == 0 && column < columns) db[column] = 0;
  __syncthreads();  // db is 0
  if (column < columns) atomicAdd(&db[column], sum);
}
