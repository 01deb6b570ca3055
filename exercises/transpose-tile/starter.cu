// Turns a photo clockwise by a quarter:
//   out[column][rows - 1 - row] = x[row][column]
// x: [rows][columns], out: [columns][rows]
// blocks of 32 x 8 threads, one for each 32 x 32 pixels of x
__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  int top = blockIdx.y * 32, left = blockIdx.x * 32;
  int column = left + threadIdx.x;
  // declare a tile in shared memory, and fill it by rows:
  //   for (int i = threadIdx.y; i < 32; i += 8) {
  //     int row = top + i;
  //     if (row < rows && column < columns)
  //       tile[i][threadIdx.x] = x[row * columns + column];
  //   }
  // wait, and write the tile to its place in out
}
