// db[c] = the sum of dy[r][c] over all rows r
// dy: [rows][columns], db: [columns]
// a block: 32 x 8 threads, for 32 columns
__global__ void bias_gradient(const float* dy, float* db,
                              int rows, int columns) {
  int column = blockIdx.x * 32 + threadIdx.x;
  // 8 threads for each column: share its rows, then add up
  for (int row = threadIdx.y; row < rows; row += 8)
    atomicAdd(&db[column], dy[row * columns + column]);
}
