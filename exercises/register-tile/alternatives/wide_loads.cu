// The tile of a is stored with rows and columns exchanged, so that
// a thread's four factors are one load of 16 bytes.
constexpr int SIDE = 64;
constexpr int DEPTH = 16;
constexpr int OWN = 4;
constexpr int ROW = SIDE / OWN;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ __align__(16) float tile_a[DEPTH][SIDE + 4];
  __shared__ __align__(16) float tile_b[DEPTH][SIDE];
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  int row = threadIdx.x / ROW * OWN;
  int column = threadIdx.x % ROW * OWN;
  float sum[OWN][OWN] = {};
  for (int first = 0; first < k; first += DEPTH) {
    for (int i = threadIdx.x; i < SIDE * DEPTH; i += 256) {
      int r = top + i / DEPTH, d = first + i % DEPTH;
      tile_a[i % DEPTH][i / DEPTH] =
          r < m && d < k ? a[r * k + d] : 0;
    }
    for (int i = threadIdx.x; i < DEPTH * SIDE; i += 256) {
      int d = first + i / SIDE, col = left + i % SIDE;
      tile_b[i / SIDE][i % SIDE] =
          d < k && col < n ? b[d * n + col] : 0;
    }
    __syncthreads();  // both tiles are full
    for (int d = 0; d < DEPTH; ++d) {
      // What was loaded once is used four times.
      __align__(16) float of_a[OWN], of_b[OWN];
      *(float4*)of_a = *(const float4*)&tile_a[d][row];
      *(float4*)of_b = *(const float4*)&tile_b[d][column];
      for (int i = 0; i < OWN; ++i)
        for (int j = 0; j < OWN; ++j)
          sum[i][j] += of_a[i] * of_b[j];
    }
    __syncthreads();  // nobody needs them any more
  }
  for (int i = 0; i < OWN; ++i)
    for (int j = 0; j < OWN; ++j) {
      int r = top + row + i, col = left + column + j;
      if (r < m && col < n) c[r * n + col] = sum[i][j];
    }
}
