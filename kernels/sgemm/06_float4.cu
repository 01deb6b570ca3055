//@ idea: 16 bytes an access, to and from global and shared memory; A's tile lies transposed for that
//@ block: TILE_M * TILE_N / 64
//@ grid: ceil_div(n, TILE_N), ceil_div(m, TILE_M)
//@ needs: 75
//@ defines: TILE_M=128, TILE_N=128, TILE_K=8
//@ registers: 128
//@ bytes: 4 * (m * k + k * n + m * n)
//@ flops: 2 * m * n * k

// c = a b      a: [m][k], b: [k][n], c: [m][n], row-major
//
// The 8 x 8 tile took 16 load instructions for 64 multiply-adds; with four words a load it takes 4,
// and the instruction slots go to multiply-adds. A thread's 8 words of A lie below each other in
// A's tile, so the tile is stored transposed, [depth][row]: then they are neighbours, and the
// transposing is done once a tile, at the store.
//
// An access of 16 bytes needs an address that is a multiple of 16. Where n or k is no multiple of
// 4, or a matrix starts in the middle of somebody's buffer, rows start anywhere; each address is
// asked, and the slow way always works.
#ifndef TILE_M
#define TILE_M 128  // rows of C a block
#endif
#ifndef TILE_N
#define TILE_N 128  // columns of C a block
#endif
#ifndef TILE_K
#define TILE_K 8  // depth of a step, a multiple of 4
#endif
constexpr int kThread = 8;  // rows and columns of C a thread
constexpr int kThreads = TILE_M * TILE_N / (kThread * kThread);
static_assert(TILE_M % kThread == 0 && TILE_N % kThread == 0, "threads share a tile evenly");
static_assert(TILE_K % 4 == 0, "a row of the tile of A is whole float4s");

__device__ bool is_aligned(const float* at) { return reinterpret_cast<size_t>(at) % 16 == 0; }

// row[column .. column + 3], 0 from `end` on; in one load where that may be.
__device__ float4 load_four(const float* row, int column, int end) {
  const float* at = row + column;
  if (column + 4 <= end && is_aligned(at)) return *reinterpret_cast<const float4*>(at);
  return {column < end ? at[0] : 0, column + 1 < end ? at[1] : 0, column + 2 < end ? at[2] : 0,
          column + 3 < end ? at[3] : 0};
}

__device__ void store_four(float* row, int column, int end, const float* four) {
  float* at = row + column;
  if (column + 4 <= end && is_aligned(at)) {
    *reinterpret_cast<float4*>(at) = make_float4(four[0], four[1], four[2], four[3]);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (column + i < end) at[i] = four[i];
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ __align__(16) float tile_a[TILE_K][TILE_M], tile_b[TILE_K][TILE_N];
  const int first_row = blockIdx.y * TILE_M, first_column = blockIdx.x * TILE_N;
  const int thread_row = threadIdx.x / (TILE_N / kThread) * kThread;
  const int thread_column = threadIdx.x % (TILE_N / kThread) * kThread;

  float sum[kThread][kThread] = {};
  for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
    for (int i = threadIdx.x * 4; i < TILE_M * TILE_K; i += kThreads * 4) {
      const int tile_row = i / TILE_K, tile_depth = i % TILE_K, row = first_row + tile_row;
      // A row outside A is read as one that ends before it begins.
      const float4 four = load_four(a + min(row, m - 1) * k, tile_k + tile_depth, row < m ? k : 0);
      tile_a[tile_depth][tile_row] = four.x;
      tile_a[tile_depth + 1][tile_row] = four.y;
      tile_a[tile_depth + 2][tile_row] = four.z;
      tile_a[tile_depth + 3][tile_row] = four.w;
    }
    for (int i = threadIdx.x * 4; i < TILE_K * TILE_N; i += kThreads * 4) {
      const int depth = tile_k + i / TILE_N;
      *reinterpret_cast<float4*>(&tile_b[i / TILE_N][i % TILE_N]) =
          load_four(b + min(depth, k - 1) * n, first_column + i % TILE_N, depth < k ? n : 0);
    }
    __syncthreads();  // the tiles are whole before anyone reads them

#pragma unroll
    for (int depth = 0; depth < TILE_K; ++depth) {
      float of_a[kThread], of_b[kThread];
#pragma unroll
      for (int i = 0; i < kThread; i += 4) {
        *reinterpret_cast<float4*>(of_a + i) =
            *reinterpret_cast<const float4*>(&tile_a[depth][thread_row + i]);
        *reinterpret_cast<float4*>(of_b + i) =
            *reinterpret_cast<const float4*>(&tile_b[depth][thread_column + i]);
      }
#pragma unroll
      for (int i = 0; i < kThread; ++i) {
#pragma unroll
        for (int j = 0; j < kThread; ++j) sum[i][j] += of_a[i] * of_b[j];
      }
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }

#pragma unroll
  for (int i = 0; i < kThread; ++i) {
    const int row = first_row + thread_row + i;
    if (row >= m) break;
#pragma unroll
    for (int j = 0; j < kThread; j += 4) {
      store_four(c + row * n, first_column + thread_column + j, n, sum[i] + j);
    }
  }
}
