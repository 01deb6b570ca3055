constexpr int SIDE = 64;
constexpr int DEPTH = 16;
constexpr int OWN = 4;
constexpr int ROW = SIDE / OWN;
__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[SIDE][DEPTH], tile_b[DEPTH][SIDE];
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  int row = threadIdx.x / ROW * OWN;
  int column = threadIdx.x % ROW * OWN;
  float sum[OWN][OWN] = {};
  for (int first = 0; first < k; first += DEPTH) {
    for (int i = threadIdx.x; i < SIDE * DEPTH; i += 256) {
      int r = top + i / DEPTH, d = first + i % DEPTH;
      tile_a[i / DEPTH][i % DEPTH] = r < m && d < k ? a[r * k + d] : 0;
    }
    for (int i = threadIdx.x; i < SIDE * DEPTH; i += 256) {
      int d = first + i / SIDE, e = left + i % SIDE;
      tile_b[i / SIDE][i % SIDE] = d < k && e < n ? b[d * n + e] : 0;
    }
    __syncthreads();
    for (int d = 0; d < DEPTH; ++d) {
      float fa[OWN], fb[OWN];
      for (int i = 0; i < OWN; ++i) fa[i] = tile_a[row + i][d];
      for (int j = 0; j < OWN; ++j) fb[j] = __int_as_float(__float_as_int(tile_b[d][column + j]) & 0xffff0000);
      for (int i = 0; i < OWN; ++i)
        for (int j = 0; j < OWN; ++j) sum[i][j] += fa[i] * fb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < OWN; ++i)
    for (int j = 0; j < OWN; ++j)
      if (top + row + i < m && left + column + j < n)
        c[(top + row + i) * n + left + column + j] = sum[i][j];
}
