//@ idea: one thread an element; neighbours read neighbours, and write far apart
//@ block: 32, 8
//@ grid: ceil_div(columns, block_x), ceil_div(rows, block_y)
//@ needs: 75
//@ registers: 16
//@ bytes: 8 * rows * columns
//@ flops: 0

// x:   [rows][columns], row-major
// out: [columns][rows], row-major: out[column][row] = x[row][column]
//
// 8 bytes an element and no arithmetic, like a copy (kernels/copy), which is the ceiling of every rung here.
//
// The 32 lanes of a warp have one row and 32 neighbouring columns. They read 128 bytes in a row: 4 sectors. They write to 32 rows
// of out, `rows` floats apart: 32 sectors of 32 bytes, of which each gets 4. So 8 times as many bytes are asked for as are
// written. L2 gathers some of them before they go to DRAM; how many, is its luck.
__global__ void transpose(const float* x, float* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = x[row * columns + column];
}
