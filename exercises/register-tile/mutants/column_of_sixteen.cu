constexpr int SIDE = 64, DEPTH = 16;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[SIDE][DEPTH], tile_b[DEPTH][SIDE];
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  int row = threadIdx.x / SIDE * 16;
  int column = threadIdx.x % SIDE;
  float sum[16] = {};
  for (int first = 0; first < k; first += DEPTH) {
    for (int i = threadIdx.x; i < SIDE * DEPTH; i += 256) {
      int r = top + i / DEPTH, d = first + i % DEPTH;
      tile_a[i / DEPTH][i % DEPTH] =
          r < m && d < k ? a[r * k + d] : 0;
    }
    for (int i = threadIdx.x; i < DEPTH * SIDE; i += 256) {
      int d = first + i / SIDE, col = left + i % SIDE;
      tile_b[i / SIDE][i % SIDE] =
          d < k && col < n ? b[d * n + col] : 0;
    }
    __syncthreads();  // both tiles are full
    for (int d = 0; d < DEPTH; ++d) {
      float of_b = tile_b[d][column];
      for (int i = 0; i < 16; ++i)
        sum[i] += tile_a[row + i][d] * of_b;
    }
    __syncthreads();  // nobody needs them any more
  }
  for (int i = 0; i < 16; ++i) {
    int r = top + row + i, col = left + column;
    if (r < m && col < n) c[r * n + col] = sum[i];
  }
}
