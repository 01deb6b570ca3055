// The sum in double precision, and helper functions.
constexpr int TILE = 16;

__device__ float at(const float* matrix, int row, int column, int rows, int columns) {
  return row < rows && column < columns ? matrix[row * columns + column] : 0.0f;
}

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE + 1], tile_b[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * blockDim.y + y, column = blockIdx.x * blockDim.x + x;
  double sum = 0;
  for (int step = 0; step < (k + TILE - 1) / TILE; ++step) {
    tile_a[y][x] = at(a, row, step * TILE + x, m, k);
    tile_b[y][x] = at(b, step * TILE + y, column, k, n);
    __syncthreads();
    for (int d = 0; d < TILE; ++d) sum += (double)tile_a[y][d] * tile_b[d][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = (float)sum;
}
