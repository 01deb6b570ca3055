// The tile in four quarters of eight columns, each with its own barriers; every four rows are turned one place further.
__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  __shared__ float tile[32][8];
  int top = blockIdx.y * 32, left = blockIdx.x * 32;
  int t = threadIdx.y * 32 + threadIdx.x;
  for (int quarter = 0; quarter < 32; quarter += 8) {
    int row = top + t / 8, column = left + quarter + t % 8;
    if (row < rows && column < columns)
      tile[t / 8][(t + t / 32) % 8] = x[row * columns + column];
    __syncthreads();
    row = top + threadIdx.x;
    int to = left + quarter + threadIdx.y;
    if (row < rows && to < columns)
      out[to * rows + rows - 1 - row] =
          tile[threadIdx.x][(threadIdx.y + threadIdx.x / 4) % 8];
    __syncthreads();
  }
}
