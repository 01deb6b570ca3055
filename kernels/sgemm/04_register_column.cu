//@ idea: a thread makes a column of 8 elements, so that one word of B in a register serves 8 multiply-adds
//@ block: TILE_M * TILE_N / THREAD_M
//@ grid: ceil_div(n, TILE_N), ceil_div(m, TILE_M)
//@ needs: 75
//@ defines: TILE_M=64, TILE_N=64, TILE_K=8, THREAD_M=8
//@ registers: 80
//@ bytes: 4 * (m * k + k * n + m * n)
//@ flops: 2 * m * n * k

// c = a b      a: [m][k], b: [k][n], c: [m][n], row-major
//
// The tiled kernel loads two words from shared memory for each multiply-add, and an SM loads 32
// words in the time of 128 multiply-adds. Here a thread keeps THREAD_M sums, one below the other in
// C. For each step along k it loads one word of B and THREAD_M of A: 9 loads for 8 multiply-adds
// instead of 16. (The lanes of a warp share their words of A, which are sent to all of them at
// once.)
//
// The tile of C is 64 x 64 now: each word fetched from global memory is used 64 times, 0.0625 bytes
// a flop.
#ifndef TILE_M
#define TILE_M 64  // rows of C a block
#endif
#ifndef TILE_N
#define TILE_N 64  // columns of C a block
#endif
#ifndef TILE_K
#define TILE_K 8  // depth of a step
#endif
#ifndef THREAD_M
#define THREAD_M 8  // rows of C a thread
#endif
constexpr int kThreads = TILE_M * TILE_N / THREAD_M;
static_assert(TILE_M % THREAD_M == 0, "threads share a column evenly");

__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE_M][TILE_K], tile_b[TILE_K][TILE_N];
  const int first_row = blockIdx.y * TILE_M, first_column = blockIdx.x * TILE_N;
  // Within the tile: all lanes of a warp have the same rows and neighbouring columns.
  const int thread_column = threadIdx.x % TILE_N;
  const int thread_row = threadIdx.x / TILE_N * THREAD_M;

  float sum[THREAD_M] = {};
  for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
    // The threads fetch the tiles in the order in which they lie in memory, whatever they compute
    // afterwards.
    for (int i = threadIdx.x; i < TILE_M * TILE_K; i += kThreads) {
      const int row = first_row + i / TILE_K, depth = tile_k + i % TILE_K;
      tile_a[i / TILE_K][i % TILE_K] = row < m && depth < k ? a[row * k + depth] : 0;
    }
    for (int i = threadIdx.x; i < TILE_K * TILE_N; i += kThreads) {
      const int depth = tile_k + i / TILE_N, column = first_column + i % TILE_N;
      tile_b[i / TILE_N][i % TILE_N] = depth < k && column < n ? b[depth * n + column] : 0;
    }
    __syncthreads();  // the tiles are whole before anyone reads them

    for (int depth = 0; depth < TILE_K; ++depth) {
      const float of_b = tile_b[depth][thread_column];  // loaded once, used THREAD_M times
#pragma unroll
      for (int i = 0; i < THREAD_M; ++i) sum[i] += tile_a[thread_row + i][depth] * of_b;
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }

  const int column = first_column + thread_column;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    const int row = first_row + thread_row + i;
    if (row < m && column < n) c[row * n + column] = sum[i];
  }
}
