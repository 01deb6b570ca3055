// Tiles that are 32 deep: half of the barriers.
constexpr int TILE = 16, DEPTH = 32;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][DEPTH], tile_b[DEPTH][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int first = 0; first < k; first += DEPTH) {
    for (int d = 0; d < DEPTH; d += TILE) {
      int deep = first + d;
      tile_a[y][d + x] = row < m && deep + x < k ? a[row * k + deep + x] : 0;
      tile_b[d + y][x] = deep + y < k && column < n ? b[(deep + y) * n + column] : 0;
    }
    __syncthreads();
#pragma unroll 4
    for (int d = 0; d < DEPTH; ++d) sum += tile_a[y][d] * tile_b[d][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
