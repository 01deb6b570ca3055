//@ idea: the same, the other way round: neighbours write neighbours, and read far apart
//@ block: 32, 8
//@ grid: ceil_div(rows, block_x), ceil_div(columns, block_y)
//@ needs: 75
//@ registers: 16
//@ bytes: 8 * rows * columns
//@ flops: 0

// x:   [rows][columns], row-major
// out: [columns][rows], row-major: out[column][row] = x[row][column]
//
// One of the two sides has to be strided, and here it is the reads. The counters are those of rung 01 with loads and stores
// exchanged, but the time is not: a sector that was read in part stays in L1, and the block's other warps (the neighbouring
// columns) find their part of it there. A store has no such luck, since stores go through to L2 one by one.
__global__ void transpose(const float* x, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = x[row * columns + column];
}
