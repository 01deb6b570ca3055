//@ idea: a thread makes 8 x 8 elements from 8 + 8 words in registers
//@ block: TILE_M * TILE_N / (THREAD_M * THREAD_N)
//@ grid: ceil_div(n, TILE_N), ceil_div(m, TILE_M)
//@ needs: 75
//@ defines: TILE_M=128, TILE_N=128, TILE_K=8, THREAD_M=8, THREAD_N=8
//@ registers: 128
//@ bytes: 4 * (m * k + k * n + m * n)
//@ flops: 2 * m * n * k

// c = a b      a: [m][k], b: [k][n], c: [m][n], row-major
//
// A column of 8 took 9 loads for 8 multiply-adds. A square of 8 x 8 takes 8 + 8 loads for 64: the
// loads grow with the edge, the work with the area. Four multiply-adds a load is what an SM can
// feed (32 words against 128 multiply-adds a clock). The price is registers: 64 sums, 16 operands
// and the addresses, about 100 a thread, so that two blocks of 256 threads fill an SM's 65,536.
// That is few warps, but each has 64 independent multiply-adds to hide latency with.
//
// The tile of C is 128 x 128: 0.031 bytes a flop from global memory. What is left: the lanes of a
// warp read words of B that lie 8 apart, so four of them meet in each bank (rung 7 mends it).
#ifndef TILE_M
#define TILE_M 128  // rows of C a block
#endif
#ifndef TILE_N
#define TILE_N 128  // columns of C a block
#endif
#ifndef TILE_K
#define TILE_K 8  // depth of a step
#endif
#ifndef THREAD_M
#define THREAD_M 8  // rows of C a thread
#endif
#ifndef THREAD_N
#define THREAD_N 8  // columns of C a thread
#endif
constexpr int kThreads = TILE_M * TILE_N / (THREAD_M * THREAD_N);
static_assert(TILE_M % THREAD_M == 0 && TILE_N % THREAD_N == 0, "threads share a tile evenly");

__global__ void __launch_bounds__(kThreads)
    sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE_M][TILE_K], tile_b[TILE_K][TILE_N];
  const int first_row = blockIdx.y * TILE_M, first_column = blockIdx.x * TILE_N;
  // The corner of this thread's square within the tile.
  const int thread_row = threadIdx.x / (TILE_N / THREAD_N) * THREAD_M;
  const int thread_column = threadIdx.x % (TILE_N / THREAD_N) * THREAD_N;

  float sum[THREAD_M][THREAD_N] = {};
  for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
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
      // All indices below are known when the loops are unrolled: that is what lets the arrays live
      // in registers.
      float of_a[THREAD_M], of_b[THREAD_N];
#pragma unroll
      for (int i = 0; i < THREAD_M; ++i) of_a[i] = tile_a[thread_row + i][depth];
#pragma unroll
      for (int j = 0; j < THREAD_N; ++j) of_b[j] = tile_b[depth][thread_column + j];
#pragma unroll
      for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
        for (int j = 0; j < THREAD_N; ++j) sum[i][j] += of_a[i] * of_b[j];
      }
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }

#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    const int row = first_row + thread_row + i;
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) {
      const int column = first_column + thread_column + j;
      if (row < m && column < n) c[row * n + column] = sum[i][j];
    }
  }
}
