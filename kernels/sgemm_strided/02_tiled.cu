//@ idea: a thread makes 4 x 4 elements from tiles in shared memory, whichever way the matrices lie
//@ defines: TILE=64, TILE_K=8
//@ block: 256
//@ grid: ceil_div(n, TILE), ceil_div(m, TILE)
//@ registers: 96
//@ bytes: 4 * m * n
//@ flops: 2 * m * n * k

// c = a b      c: [m][n]; a[i][j] lies at i a_row + j a_column, b[i][j] at i b_row + j b_column
//
// As in kernels/sgemm, a word is fetched once a block and used TILE times. The tiles lie the same way
// whatever the strides are, so only the fetching differs: neighbouring threads walk along the axis
// whose stride is smaller, and so read neighbouring words of a transposed matrix, too.
#ifndef TILE
#define TILE 64  // rows and columns of C a block, a multiple of 16
#endif
#ifndef TILE_K
#define TILE_K 8  // depth of a step
#endif
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column of the tile
constexpr int kEach = TILE / 16;
static_assert(TILE % 16 == 0, "threads share a tile evenly");

// A tile of a matrix of edge x k, with its edge along the tile's rows; 0 outside the matrix.
__device__ void fetch(float tile[TILE_K][TILE + 1], const float* from, int first, int edge,
                      int edge_stride, int first_depth, int k, int depth_stride) {
  for (int i = threadIdx.x; i < TILE * TILE_K; i += kThreads) {
    const bool along_depth = depth_stride < edge_stride;
    const int in_edge = along_depth ? i / TILE_K : i % TILE;
    const int in_depth = along_depth ? i % TILE_K : i / TILE;
    const int at = first + in_edge, depth = first_depth + in_depth;
    tile[in_depth][in_edge] =
        at < edge && depth < k ? from[at * edge_stride + depth * depth_stride] : 0;
  }
}

__global__ void __launch_bounds__(kThreads)
    sgemm_strided(const float* a, const float* b, float* c, int m, int n, int k, int a_row,
                  int a_column, int b_row, int b_column) {
  __shared__ float tile_a[TILE_K][TILE + 1], tile_b[TILE_K][TILE + 1];
  const int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  float sum[kEach][kEach] = {};
  for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
    fetch(tile_a, a, first_row, m, a_row, tile_k, k, a_column);
    fetch(tile_b, b, first_column, n, b_column, tile_k, k, b_row);
    __syncthreads();  // the tiles are whole before anyone reads them

    for (int depth = 0; depth < TILE_K; ++depth) {
      float of_a[kEach], of_b[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) of_a[i] = tile_a[depth][thread_row + i * 16];
#pragma unroll
      for (int j = 0; j < kEach; ++j) of_b[j] = tile_b[depth][thread_column + j * 16];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] += of_a[i] * of_b[j];
      }
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + thread_row + i * 16;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int column = first_column + thread_column + j * 16;
      if (row < m && column < n) c[row * n + column] = sum[i][j];
    }
  }
}
