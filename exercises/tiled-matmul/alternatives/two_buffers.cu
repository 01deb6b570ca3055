// Two pairs of tiles: one barrier per step is enough.
constexpr int TILE = 16;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[2][TILE][TILE], tile_b[2][TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  float sum = 0;
  int turn = 0;
  for (int first = 0; first < k; first += TILE, turn ^= 1) {
    tile_a[turn][y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[turn][y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int d = 0; d < TILE; ++d) sum += tile_a[turn][y][d] * tile_b[turn][d][x];
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
