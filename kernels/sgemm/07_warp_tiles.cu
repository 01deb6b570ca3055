//@ idea: each warp owns a compact tile, and its lanes read shared memory in neighbouring groups of four
//@ block: TILE_M / WARP_M * (TILE_N / WARP_N) * 32
//@ grid: ceil_div(n, TILE_N), ceil_div(m, TILE_M)
//@ needs: 75
//@ defines: TILE_M=128, TILE_N=128, TILE_K=16, WARP_M=64, WARP_N=32
//@ registers: 128
//@ bytes: 4 * (m * k + k * n + m * n)
//@ flops: 2 * m * n * k

// c = a b      a: [m][k], b: [k][n], c: [m][n], row-major
//
// What a warp reads from shared memory in one step depends on the shape of what it makes. Before, a
// warp was two rows of threads: 16 x 128 elements of C from 16 + 128 words. A warp tile of 64 x 32
// has as many elements and needs 64 + 32.
//
// A thread's 8 x 8 elements are four squares of 4 x 4 now, half a warp tile apart. So neighbouring
// lanes read neighbouring groups of 16 bytes, which fall in different banks; before, they read
// groups 32 bytes apart, two to a bank.
#ifndef TILE_M
#define TILE_M 128  // rows of C a block
#endif
#ifndef TILE_N
#define TILE_N 128  // columns of C a block
#endif
#ifndef TILE_K
#define TILE_K 16  // depth of a step, a multiple of 4
#endif
#ifndef WARP_M
#define WARP_M 64  // rows of C a warp
#endif
#ifndef WARP_N
#define WARP_N 32  // columns of C a warp; WARP_M * WARP_N is 2048
#endif
constexpr int kThreads = TILE_M / WARP_M * (TILE_N / WARP_N) * 32;
constexpr int kLaneColumns = WARP_N / 8;  // the lanes stand in 32 / kLaneColumns rows of as many
static_assert(WARP_M * WARP_N == 32 * 64, "a lane makes 8 x 8 elements");
static_assert(TILE_M % WARP_M == 0 && TILE_N % WARP_N == 0, "warps share a tile evenly");
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
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  // The first of this lane's squares; the others lie WARP_M / 2 below and WARP_N / 2 to the right.
  const int lane_row = warp / (TILE_N / WARP_N) * WARP_M + lane / kLaneColumns * 4;
  const int lane_column = warp % (TILE_N / WARP_N) * WARP_N + lane % kLaneColumns * 4;

  float sum[8][8] = {};
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

#pragma unroll 4
    for (int depth = 0; depth < TILE_K; ++depth) {
      float of_a[8], of_b[8];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        *reinterpret_cast<float4*>(of_a + 4 * half) =
            *reinterpret_cast<const float4*>(&tile_a[depth][lane_row + half * (WARP_M / 2)]);
        *reinterpret_cast<float4*>(of_b + 4 * half) =
            *reinterpret_cast<const float4*>(&tile_b[depth][lane_column + half * (WARP_N / 2)]);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += of_a[i] * of_b[j];
      }
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = first_row + lane_row + i / 4 * (WARP_M / 2) + i % 4;
    if (row >= m) break;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int column = first_column + lane_column + half * (WARP_N / 2);
      store_four(c + row * n, column, n, sum[i] + 4 * half);
    }
  }
}
