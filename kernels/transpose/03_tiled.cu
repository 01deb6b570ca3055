//@ idea: a tile goes through shared memory, so that both sides are coalesced
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

// x:   [rows][columns], row-major
// out: [columns][rows], row-major: out[column][row] = x[row][column]
//
// Shared memory has no sectors: it can be written along rows and read along columns. A block of TILE x ROWS threads takes a tile of
// TILE x TILE in TILE / ROWS steps, then writes the tile of out that lies mirrored at the diagonal. Every request to global
// memory is four whole sectors.
//
// Where is the catch? tile[threadIdx.x][...] steps by TILE floats from lane to lane: 32 x 4 bytes, so all lanes ask the same one of
// the 32 banks, and the request takes 32 passes. See shared_wavefronts against shared_wavefronts_ideal.
__global__ void transpose(const float* x, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE];
  const int tile_column = blockIdx.x * TILE, tile_row = blockIdx.y * TILE;

  const int column = tile_column + threadIdx.x;
  for (int step = threadIdx.y; step < TILE; step += ROWS) {
    const int row = tile_row + step;
    if (row < rows && column < columns) tile[step][threadIdx.x] = x[row * columns + column];
  }

  // Below, each thread reads what another one has stored.
  __syncthreads();

  const int out_column = tile_row + threadIdx.x;  // of out, whose columns are the rows of x
  for (int step = threadIdx.y; step < TILE; step += ROWS) {
    const int out_row = tile_column + step;
    if (out_row < columns && out_column < rows)
      out[out_row * rows + out_column] = tile[threadIdx.x][step];
  }
}
