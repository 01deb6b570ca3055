//@ idea: first the sum of each row of a window, shared by the windows above and below, then the sum of those
//@ defines: TILE_P=8, TILE_Q=32
//@ let: tile_h = (TILE_P - 1) * stride + r
//@ only: tile_h * TILE_Q <= 12288
//@ block: TILE_Q, TILE_P
//@ grid: planes, ceil_div(p, TILE_P), ceil_div(q, TILE_Q)
//@ shared: 4 * tile_h * TILE_Q
//@ registers: 56
//@ depth: r + s
//@ bytes: 4 * planes * (h * w + p * q)
//@ flops: planes * p * q * (r + s)

// y = the average of each window's words      x: [planes][h][w], y: [planes][p][q]
//
// A block adds up each row of its windows once, in shared memory; then each thread adds the r rows
// that are its own: r + s additions for windows at stride 1, where the direct kernel takes r s.
#ifndef TILE_P
#define TILE_P 8  // rows of outputs a block
#endif
#ifndef TILE_Q
#define TILE_Q 32  // columns of outputs a block
#endif

__global__ void pooling_average(const float* x, float* y, int planes, int h, int w, int r, int s,
                                int p, int q, int stride, int pad) {
  extern __shared__ float row_sums[];  // [tile_h][TILE_Q]
  const int tile_h = (TILE_P - 1) * stride + r;
  const int plane = blockIdx.x;
  const int out_row = blockIdx.y * TILE_P + threadIdx.y;
  const int out_column = blockIdx.z * TILE_Q + threadIdx.x;
  const int tile_row = blockIdx.y * TILE_P * stride - pad;  // of the tile, in the image
  const int corner_row = out_row * stride - pad, corner_column = out_column * stride - pad;
  const int first_column = max(corner_column, 0), end_column = min(corner_column + s, w);

  for (int i = threadIdx.y; i < tile_h; i += TILE_P) {
    const int row = tile_row + i;
    float sum = 0;
    if (row >= 0 && row < h) {
      for (int column = first_column; column < end_column; ++column) {
        sum += x[(plane * h + row) * w + column];
      }
    }
    row_sums[i * TILE_Q + threadIdx.x] = sum;
  }
  __syncthreads();  // all rows are done before anyone joins them
  if (out_row >= p || out_column >= q) return;

  float sum = 0;
  for (int tap_row = 0; tap_row < r; ++tap_row) {
    sum += row_sums[(threadIdx.y * stride + tap_row) * TILE_Q + threadIdx.x];
  }
  const int rows = max(min(corner_row + r, h) - max(corner_row, 0), 0);
  const int count = rows * max(end_column - first_column, 0);
  y[(plane * p + out_row) * q + out_column] = count > 0 ? sum / count : 0;
}
