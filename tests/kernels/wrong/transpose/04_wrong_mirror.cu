//@ idea: reads the tile as it was written, so that only the tiles are transposed
//@ caught: values
//@ block: 32, 8
//@ grid: ceil_div(columns, 32), ceil_div(rows, 32)

__global__ void transpose(const float* x, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  for (int step = threadIdx.y; step < 32; step += 8) {
    const int row = blockIdx.y * 32 + step, column = blockIdx.x * 32 + threadIdx.x;
    tile[step][threadIdx.x] = row < rows && column < columns ? x[row * columns + column] : 0;
  }
  __syncthreads();
  for (int step = threadIdx.y; step < 32; step += 8) {
    const int out_row = blockIdx.x * 32 + step, out_column = blockIdx.y * 32 + threadIdx.x;
    if (out_row < columns && out_column < rows)
      out[out_row * rows + out_column] = tile[step][threadIdx.x];
  }
}
