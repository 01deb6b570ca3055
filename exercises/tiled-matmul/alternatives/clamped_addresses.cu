constexpr int TILE = 16;
__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  float sum = 0;
  if (k == 0) {
    if (row < m && column < n) c[row * n + column] = 0;
    return;
  }
  for (int first = 0; first < k; first += TILE) {
    ta[y][x] = a[min(row, m - 1) * k + min(first + x, k - 1)] * (row < m && first + x < k);
    tb[y][x] = b[min(first + y, k - 1) * n + min(column, n - 1)] * (first + y < k && column < n);
    __syncthreads();
    for (int d = 0; d < TILE; ++d) sum += ta[y][d] * tb[d][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
