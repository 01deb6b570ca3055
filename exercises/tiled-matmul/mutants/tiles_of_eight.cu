constexpr int TILE = 8;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[2][2][TILE][TILE];
  __shared__ float tile_b[2][2][TILE][TILE];
  int x = threadIdx.x % TILE, y = threadIdx.y % TILE;
  int right = threadIdx.x / TILE, low = threadIdx.y / TILE;
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    bool in_a = row < m && first + x < k;
    bool in_b = first + y < k && column < n;
    tile_a[low][right][y][x] = in_a ? a[row * k + first + x] : 0;
    tile_b[low][right][y][x] = in_b ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int d = 0; d < TILE; ++d)
      sum += tile_a[low][right][y][d] * tile_b[low][right][d][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
