// Blocks take their tiles of c in turns, and the loop ends at the
// depth that there is.
#include <cooperative_groups.h>
constexpr int TILE = 16;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  auto block = cooperative_groups::this_thread_block();
  int x = threadIdx.x, y = threadIdx.y;
  for (int top = blockIdx.y * TILE; top < m; top += gridDim.y * TILE) {
    for (int left = blockIdx.x * TILE; left < n; left += gridDim.x * TILE) {
      int row = top + y, column = left + x;
      float sum = 0.0f;
      for (int first = 0; first < k; first += TILE) {
        if (row < m && first + x < k) tile_a[y][x] = a[row * k + first + x];
        if (first + y < k && column < n) tile_b[y][x] = b[(first + y) * n + column];
        block.sync();
        int deep = min(TILE, k - first);
        if (row < m && column < n)
          for (int d = 0; d < deep; ++d) sum = fmaf(tile_a[y][d], tile_b[d][x], sum);
        block.sync();
      }
      if (row < m && column < n) c[row * n + column] = sum;
    }
  }
}
