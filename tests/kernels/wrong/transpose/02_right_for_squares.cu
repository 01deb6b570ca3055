//@ idea: takes the one extent for the other
//@ caught: bounds
//@ block: 32, 8
//@ grid: ceil_div(columns, block_x), ceil_div(rows, block_y)

__global__ void transpose(const float* x, float* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * columns + row] = x[row * columns + column];
}
