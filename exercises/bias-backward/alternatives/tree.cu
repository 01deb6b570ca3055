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
  for (int half = 4; half > 0; half /= 2) {
    __syncthreads();  // the upper half is there
    if (threadIdx.y < half)
      part[threadIdx.y][threadIdx.x] +=
          part[threadIdx.y + half][threadIdx.x];
  }
  if (threadIdx.y == 0 && column < columns)
    db[column] = part[0][threadIdx.x];
}
