//@ idea: first the largest of each row of a window, shared by the windows above and below, then the largest of those
//@ defines: TILE_P=8, TILE_Q=32
//@ let: tile_h = (TILE_P - 1) * stride + r
//@ only: tile_h * TILE_Q <= 6144
//@ block: TILE_Q, TILE_P
//@ grid: planes, ceil_div(p, TILE_P), ceil_div(q, TILE_Q)
//@ shared: 8 * tile_h * TILE_Q
//@ registers: 40
//@ bytes: 4 * planes * (h * w + 2 * p * q)
//@ flops: planes * p * q * (r + s)

// y = the largest word of each window, tap = which one it was
// x: [planes][h][w]; y, tap: [planes][p][q]
//
// The largest of a rectangle is the largest of its rows' largest. Windows that lie above each other
// share rows, so a block finds each row's largest once, in shared memory, and then each thread
// takes the r rows that are its own: r + s steps for windows at stride 1, where the direct kernel
// takes r s. (The same holds for sums, and for any filter that is a product of a row and a column.)
// With 2 x 2 windows at stride 2 nothing overlaps, and this is only more work.
#ifndef TILE_P
#define TILE_P 8  // rows of outputs a block
#endif
#ifndef TILE_Q
#define TILE_Q 32  // columns of outputs a block
#endif

__global__ void pooling_max(const float* x, float* y, int* tap, int planes, int h, int w, int r,
                            int s, int p, int q, int stride, int pad) {
  extern __shared__ float row_largest[];  // [tile_h][TILE_Q], and as many winners behind it
  const int tile_h = (TILE_P - 1) * stride + r;
  int* row_winner = reinterpret_cast<int*>(row_largest + tile_h * TILE_Q);
  const int plane = blockIdx.x;
  const int out_row = blockIdx.y * TILE_P + threadIdx.y;
  const int out_column = blockIdx.z * TILE_Q + threadIdx.x;
  const int first_row = blockIdx.y * TILE_P * stride - pad;  // of the tile, in the image
  const int first_column = out_column * stride - pad;        // of this thread's windows

  for (int i = threadIdx.y; i < tile_h; i += TILE_P) {
    const int row = first_row + i;
    float largest = -INFINITY;
    int winner = -1;
    for (int tap_column = 0; tap_column < s && row >= 0 && row < h; ++tap_column) {
      const int column = first_column + tap_column;
      if (column < 0 || column >= w) continue;
      const float word = x[(plane * h + row) * w + column];
      if (winner < 0 || word > largest || isnan(word)) {
        largest = word;
        winner = tap_column;
      }
    }
    row_largest[i * TILE_Q + threadIdx.x] = largest;
    row_winner[i * TILE_Q + threadIdx.x] = winner;
  }
  __syncthreads();  // all rows are done before anyone joins them
  if (out_row >= p || out_column >= q) return;

  float largest = -INFINITY;
  int winner = -1;
  for (int tap_row = 0; tap_row < r; ++tap_row) {
    const int at = (threadIdx.y * stride + tap_row) * TILE_Q + threadIdx.x;
    const float word = row_largest[at];
    if (row_winner[at] >= 0 && (winner < 0 || word > largest || isnan(word))) {
      largest = word;
      winner = tap_row * s + row_winner[at];
    }
  }
  y[(plane * p + out_row) * q + out_column] = largest;
  tap[(plane * p + out_row) * q + out_column] = winner;
}
