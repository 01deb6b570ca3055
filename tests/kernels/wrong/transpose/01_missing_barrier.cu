//@ idea: reads the tile before all have stored their part
//@ caught: race
//@ block: 32, 8
//@ grid: ceil_div(columns, 32), ceil_div(rows, 32)

__global__ void transpose(const float* x, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int step = threadIdx.y; step < 32; step += 8) {
    const int row = blockIdx.y * 32 + step;
    if (row < rows && column < columns) tile[step][threadIdx.x] = x[row * columns + column];
  }
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  for (int step = threadIdx.y; step < 32; step += 8) {
    const int out_row = blockIdx.x * 32 + step;
    if (out_row < columns && out_column < rows)
      out[out_row * rows + out_column] = tile[threadIdx.x][step];
  }
}
