// The tile is turned when it is filled: conflicts would be in the stores, without the unused float.
__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  __shared__ float tile[32][33];
  int top = blockIdx.y * 32, left = blockIdx.x * 32;
  for (int i = threadIdx.y; i < 32; i += 8) {
    int row = top + i, column = left + threadIdx.x;
    if (row < rows && column < columns)
      tile[threadIdx.x][31 - i] = x[row * columns + column];
  }
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8) {
    int column = left + j, row = top + 31 - threadIdx.x;
    if (row < rows && column < columns)
      out[column * rows + rows - 1 - row] = tile[j][threadIdx.x];
  }
}
