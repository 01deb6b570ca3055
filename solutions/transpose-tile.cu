// Turns a photo clockwise by a quarter:
//   out[column][rows - 1 - row] = x[row][column]
// x: [rows][columns], out: [columns][rows]
// blocks of 32 x 8 threads, one for each 32 x 32 pixels of x
__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  // Row r of the tile begins in bank r, so that a column of it
  // lies in 32 banks.
  __shared__ float tile[32][33];
  int top = blockIdx.y * 32, left = blockIdx.x * 32;
  int column = left + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    int row = top + i;
    if (row < rows && column < columns)
      tile[i][threadIdx.x] = x[row * columns + column];
  }
  __syncthreads();
  // The lanes of a warp go down a column of the tile: along a
  // row of out, though from its end to its beginning.
  int row = top + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    int to = left + j;
    if (row < rows && to < columns)
      out[to * rows + rows - 1 - row] = tile[threadIdx.x][j];
  }
}
