__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  int row = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    int column = blockIdx.x * 32 + j;
    if (row < rows && column < columns)
      out[column * rows + rows - 1 - row] = x[row * columns + column];
  }
}
