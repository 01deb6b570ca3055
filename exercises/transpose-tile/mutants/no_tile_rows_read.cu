__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    int row = blockIdx.y * 32 + i;
    if (row < rows && column < columns)
      out[column * rows + rows - 1 - row] = x[row * columns + column];
  }
}
