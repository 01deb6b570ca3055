// Two pairs of tiles: one barrier per step is enough. A message is
// printed while testing.
#include <cstdio>
constexpr int SIDE = 64;
constexpr int DEPTH = 16;
constexpr int OWN = 4;
constexpr int ROW = SIDE / OWN;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tiles_a[2][SIDE][DEPTH], tiles_b[2][DEPTH][SIDE];
  if (blockIdx.x + blockIdx.y + threadIdx.x == 0) printf("k is %d\n", k);
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  int row = threadIdx.x / ROW * OWN;
  int column = threadIdx.x % ROW * OWN;
  float sum[OWN][OWN] = {};
  for (int first = 0; first < k; first += DEPTH) {
    auto& tile_a = tiles_a[first / DEPTH % 2];
    auto& tile_b = tiles_b[first / DEPTH % 2];
    for (int i = threadIdx.x; i < SIDE * DEPTH; i += 256) {
      int r = top + i / DEPTH, d = first + i % DEPTH;
      tile_a[i / DEPTH][i % DEPTH] =
          r < m && d < k ? a[r * k + d] : 0;
    }
    for (int i = threadIdx.x; i < DEPTH * SIDE; i += 256) {
      int d = first + i / SIDE, col = left + i % SIDE;
      tile_b[i / SIDE][i % SIDE] =
          d < k && col < n ? b[d * n + col] : 0;
    }
    __syncthreads();  // both tiles are full
    for (int d = 0; d < DEPTH; ++d) {
      // What was loaded once is used four times.
      float of_a[OWN], of_b[OWN];
      for (int i = 0; i < OWN; ++i)
        of_a[i] = tile_a[row + i][d];
      for (int j = 0; j < OWN; ++j)
        of_b[j] = tile_b[d][column + j];
      for (int i = 0; i < OWN; ++i)
        for (int j = 0; j < OWN; ++j)
          sum[i][j] += of_a[i] * of_b[j];
    }
  }
  for (int i = 0; i < OWN; ++i)
    for (int j = 0; j < OWN; ++j) {
      int r = top + row + i, col = left + column + j;
      if (r < m && col < n) c[r * n + col] = sum[i][j];
    }
}
