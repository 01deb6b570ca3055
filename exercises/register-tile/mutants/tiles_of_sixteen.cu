constexpr int TILE = 16, SIDE = 64;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  for (int part = 0; part < 16; ++part) {
    int row = blockIdx.y * SIDE + part / 4 * TILE + y;
    int column = blockIdx.x * SIDE + part % 4 * TILE + x;
    float sum = 0;
    for (int first = 0; first < k; first += TILE) {
      tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
      tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
      __syncthreads();
      for (int d = 0; d < TILE; ++d) sum += tile_a[y][d] * tile_b[d][x];
      __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
  }
}
