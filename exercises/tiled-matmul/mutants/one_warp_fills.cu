constexpr int TILE = 16;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    // What lies outside a matrix is 0 and adds nothing.
    for (int i = y * TILE + x; y < 2 && i < TILE * TILE; i += 32) {
      int r = i / TILE, s = i % TILE;
      int in_row = blockIdx.y * TILE + r, in_column = blockIdx.x * TILE + s;
      tile_a[r][s] = in_row < m && first + s < k ? a[in_row * k + first + s] : 0;
      tile_b[r][s] = first + r < k && in_column < n ? b[(first + r) * n + in_column] : 0;
    }
    __syncthreads();  // both tiles are full
    for (int d = 0; d < TILE; ++d)
      sum += tile_a[y][d] * tile_b[d][x];
    __syncthreads();  // nobody needs them any more
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
