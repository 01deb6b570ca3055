//@ idea: no padding: each row of the tile is stored in an order of its own
//@ defines: TILE=32, ROWS=8
//@ block: TILE, ROWS
//@ grid: ceil_div(columns, TILE), ceil_div(rows, TILE)
//@ needs: 75
//@ registers: 40
//@ bytes: 8 * rows * columns
//@ flops: 0

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 8
#endif
static_assert((TILE & (TILE - 1)) == 0, "an exclusive or stays within the tile where TILE is a power of two");

// x:   [rows][columns], row-major
// out: [columns][rows], row-major: out[column][row] = x[row][column]
//
// Element [r][c] of the tile is kept at column c ^ r. Along a row (r fixed) that is a permutation of the columns: 32 banks.
// Along a column (c fixed) r runs through all values, and so does c ^ r: 32 banks again. No pass more than the bytes need, and
// not a byte of padding: what hardware that copies whole tiles (TMA, from 9.0 on) does as well, since there rows must lie side by side.
__device__ int swizzled(int row, int column) { return column ^ row; }

__global__ void transpose(const float* x, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE];
  const int tile_column = blockIdx.x * TILE, tile_row = blockIdx.y * TILE;

  const int column = tile_column + threadIdx.x;
  for (int step = threadIdx.y; step < TILE; step += ROWS) {
    const int row = tile_row + step;
    if (row < rows && column < columns)
      tile[step][swizzled(step, threadIdx.x)] = x[row * columns + column];
  }

  // Below, each thread reads what another one has stored.
  __syncthreads();

  const int out_column = tile_row + threadIdx.x;
  for (int step = threadIdx.y; step < TILE; step += ROWS) {
    const int out_row = tile_column + step;
    if (out_row < columns && out_column < rows)
      out[out_row * rows + out_column] = tile[threadIdx.x][swizzled(threadIdx.x, step)];
  }
}
