//@ idea: one column of padding moves each row of the tile on by a bank
//@ defines: TILE=32, ROWS=8, PAD=1
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
#ifndef PAD
#define PAD 1
#endif

// x:   [rows][columns], row-major
// out: [columns][rows], row-major: out[column][row] = x[row][column]
//
// Element [r][c] of the tile lies in bank (r * (TILE + PAD) + c) % 32. Along a column r counts up: with PAD = 0 and TILE = 32 the
// bank stays the same, with PAD = 1 it counts up, too, and 32 lanes ask 32 banks. One pass instead of 32, for 128 bytes of shared
// memory that nobody uses. Try PAD=2: how many passes then?
__global__ void transpose(const float* x, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + PAD];
  const int tile_column = blockIdx.x * TILE, tile_row = blockIdx.y * TILE;

  const int column = tile_column + threadIdx.x;
  for (int step = threadIdx.y; step < TILE; step += ROWS) {
    const int row = tile_row + step;
    if (row < rows && column < columns) tile[step][threadIdx.x] = x[row * columns + column];
  }

  // Below, each thread reads what another one has stored.
  __syncthreads();

  const int out_column = tile_row + threadIdx.x;
  for (int step = threadIdx.y; step < TILE; step += ROWS) {
    const int out_row = tile_column + step;
    if (out_row < columns && out_column < rows)
      out[out_row * rows + out_column] = tile[threadIdx.x][step];
  }
}
