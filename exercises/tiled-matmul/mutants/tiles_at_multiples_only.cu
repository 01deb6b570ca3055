constexpr int TILE = 16;
__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  float sum = 0;
  if (m % 16 || n % 16 || k % 16) {
    if (row >= m || column >= n) return;
    for (int d = 0; d < k; ++d) sum += a[row * k + d] * b[d * n + column];
    c[row * n + column] = sum;
    return;
  }
  for (int first = 0; first < k; first += TILE) {
    ta[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    tb[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
    for (int d = 0; d < TILE; ++d) sum += ta[y][d] * tb[d][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
