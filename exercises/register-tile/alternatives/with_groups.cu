// Cooperative groups for the barriers, blocks in turns, and depths
// that end where the matrices do.
#include <cooperative_groups.h>
constexpr int SIDE = 64;
constexpr int DEPTH = 16;
constexpr int OWN = 4;
constexpr int ROW = SIDE / OWN;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[SIDE][DEPTH + 1], tile_b[DEPTH][SIDE];
  auto block = cooperative_groups::this_thread_block();
  int row = threadIdx.x / ROW * OWN, column = threadIdx.x % ROW * OWN;
  for (int top = blockIdx.y * SIDE; top < m; top += gridDim.y * SIDE) {
    int left = blockIdx.x * SIDE;
    float sum[OWN][OWN] = {};
    for (int first = 0; first < k; first += DEPTH) {
      int deep = min(DEPTH, k - first);
      for (int i = block.thread_rank(); i < SIDE * DEPTH; i += block.size()) {
        int r = i / DEPTH, d = i % DEPTH;
        if (d < deep) tile_a[r][d] = top + r < m ? a[(top + r) * k + first + d] : 0;
        int e = i / SIDE, s = i % SIDE;
        if (e < deep) tile_b[e][s] = left + s < n ? b[(first + e) * n + left + s] : 0;
      }
      block.sync();
      for (int d = 0; d < deep; ++d) {
        float of_b[OWN];
        for (int j = 0; j < OWN; ++j) of_b[j] = tile_b[d][column + j];
        for (int i = 0; i < OWN; ++i) {
          float of_a = tile_a[row + i][d];
          for (int j = 0; j < OWN; ++j) sum[i][j] = fmaf(of_a, of_b[j], sum[i][j]);
        }
      }
      block.sync();
    }
    for (int i = 0; i < OWN; ++i)
      for (int j = 0; j < OWN; ++j)
        if (top + row + i < m && left + column + j < n)
          c[(top + row + i) * n + left + column + j] = sum[i][j];
  }
}
