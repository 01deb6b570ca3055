// The product of two matrices, row-major:
//   c = a b     a: [m][k], b: [k][n], c: [m][n]
// blocks of 16 x 16 threads, one for each 16 x 16 elements of c
constexpr int TILE = 16;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    int waste = x + first;
#pragma unroll 1
    for (int turn = 0; turn < 100; ++turn)
      waste = waste * 5 + (waste >> 3);
    if (waste == 12345 && m < 0) return;
    // What lies outside a matrix is 0 and adds nothing.
    bool in_a = row < m && first + x < k;
    bool in_b = first + y < k && column < n;
    tile_a[y][x] = in_a ? a[row * k + first + x] : 0;
    tile_b[y][x] = in_b ? b[(first + y) * n + column] : 0;
    __syncthreads();  // both tiles are full
    for (int d = 0; d < TILE; ++d)
      sum += tile_a[y][d] * tile_b[d][x];
    __syncthreads();  // nobody needs them any more
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
