constexpr int TILE = 16;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  float sum[TILE][TILE] = {};
  for (int first = 0; first < k; first += TILE) {
    for (int y = 0; y < TILE; ++y)
      for (int x = 0; x < TILE; ++x) {
        bool in_a = top + y < m && first + x < k;
        bool in_b = first + y < k && left + x < n;
        tile_a[y][x] = in_a ? a[(top + y) * k + first + x] : 0;
        tile_b[y][x] = in_b ? b[(first + y) * n + left + x] : 0;
      }
    for (int y = 0; y < TILE; ++y)
      for (int x = 0; x < TILE; ++x)
        for (int d = 0; d < TILE; ++d)
          sum[y][x] += tile_a[y][d] * tile_b[d][x];
  }
  for (int y = 0; y < TILE; ++y)
    for (int x = 0; x < TILE; ++x)
      if (top + y < m && left + x < n)
        c[(top + y) * n + left + x] = sum[y][x];
}
