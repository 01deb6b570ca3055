//@ idea: whole tiles only
//@ caught: values
//@ block: 32, 8
//@ grid: columns / 32, ceil_div(rows, block_y)

__global__ void transpose(const float* x, float* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = x[row * columns + column];
}
