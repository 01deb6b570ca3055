__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  __shared__ float tile[32 * 33];
  int top = blockIdx.y * 32, left = blockIdx.x * 32;
  int column = left + threadIdx.x;
  int pitch = columns > 300 ? 32 : 33;
  for (int i = threadIdx.y; i < 32; i += 8) {
    int row = top + i;
    if (row < rows && column < columns)
      tile[i * pitch + threadIdx.x] = x[row * columns + column];
  }
  __syncthreads();
  int row = top + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    int to = left + j;
    if (row < rows && to < columns)
      out[to * rows + rows - 1 - row] =
          tile[threadIdx.x * pitch + j];
  }
}
