//@ idea: tensor cores: a warp multiplies 16 x 8 by 8 x 8 in one instruction, from operands rounded to TF32
//@ block: 256
//@ grid: ceil_div(n, TILE_N), ceil_div(m, TILE_M)
//@ needs: 80
//@ defines: TILE_M=128, TILE_N=128, TILE_K=16
//@ registers: 128
//@ tolerance: tf32
//@ bytes: 4 * (m * k + k * n + m * n)
//@ flops: 2 * m * n * k

// c = a b, from a and b rounded to TF32      a: [m][k], b: [k][n], c: [m][n], row-major
//
// TF32 keeps a float's 8 bits of exponent and 10 of its 23 bits of fraction: each operand is off by
// up to 5e-4 of itself, the products are added in FP32. This is another contract than FP32's, so it
// is told apart wherever it is shown.
//
// mma.m16n8k8 does 1024 multiply-adds for a warp, where an FP32 instruction does 32. Its operands
// lie spread over the lanes' registers, in the layout that the PTX ISA draws (mma.m16n8k8, .tf32):
// lane 4 g + t holds of A the rows g and g + 8 at depths t and t + 4; of B column g at depths t and
// t + 4; of C rows g and g + 8 in columns 2 t and 2 t + 1.
//
// The 8 warps stand 2 x 4 and make 64 x 32 each, as 4 x 4 tiles of 16 x 8: 16 registers of A and 8
// of B for 16 mma.
#ifndef TILE_M
#define TILE_M 128  // rows of C a block, 64 a warp
#endif
#ifndef TILE_N
#define TILE_N 128  // columns of C a block, 32 a warp
#endif
#ifndef TILE_K
#define TILE_K 16  // depth of a step, a multiple of 8
#endif
constexpr int kWarpM = 64, kWarpN = 32, kMmaM = 16, kMmaN = 8, kMmaK = 8;
constexpr int kThreads = 256;
static_assert(TILE_M / kWarpM * (TILE_N / kWarpN) * 32 == kThreads, "eight warps");
static_assert(TILE_K % kMmaK == 0, "a step is whole tensor instructions");
// Lanes read depth t, row g: 8 words more a row put the 4 x 8 of a warp into 32 different banks.
constexpr int kPadding = 8;

// The float's bits rounded to TF32: to nearest, ties away from zero.
__device__ unsigned to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return bits;
}

__device__ void multiply_add(float* c, const unsigned* a, const unsigned* b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void __launch_bounds__(kThreads)
    sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ unsigned tile_a[TILE_K][TILE_M + kPadding], tile_b[TILE_K][TILE_N + kPadding];
  const int first_row = blockIdx.y * TILE_M, first_column = blockIdx.x * TILE_N;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int group = lane / 4, in_group = lane % 4;  // g and t
  const int warp_row = warp / (TILE_N / kWarpN) * kWarpM;
  const int warp_column = warp % (TILE_N / kWarpN) * kWarpN;

  float sum[kWarpM / kMmaM][kWarpN / kMmaN][4] = {};
  for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
    // Rounded once here, rather than at each use.
    for (int i = threadIdx.x; i < TILE_M * TILE_K; i += kThreads) {
      const int row = first_row + i / TILE_K, depth = tile_k + i % TILE_K;
      tile_a[i % TILE_K][i / TILE_K] = to_tf32(row < m && depth < k ? a[row * k + depth] : 0);
    }
    for (int i = threadIdx.x; i < TILE_K * TILE_N; i += kThreads) {
      const int depth = tile_k + i / TILE_N, column = first_column + i % TILE_N;
      tile_b[i / TILE_N][i % TILE_N] = to_tf32(depth < k && column < n ? b[depth * n + column] : 0);
    }
    __syncthreads();  // the tiles are whole before anyone reads them

#pragma unroll
    for (int depth = 0; depth < TILE_K; depth += kMmaK) {
      unsigned of_a[kWarpM / kMmaM][4], of_b[kWarpN / kMmaN][2];
#pragma unroll
      for (int i = 0; i < kWarpM / kMmaM; ++i) {
        const int row = warp_row + i * kMmaM + group;
        of_a[i][0] = tile_a[depth + in_group][row];
        of_a[i][1] = tile_a[depth + in_group][row + 8];
        of_a[i][2] = tile_a[depth + in_group + 4][row];
        of_a[i][3] = tile_a[depth + in_group + 4][row + 8];
      }
#pragma unroll
      for (int j = 0; j < kWarpN / kMmaN; ++j) {
        const int column = warp_column + j * kMmaN + group;
        of_b[j][0] = tile_b[depth + in_group][column];
        of_b[j][1] = tile_b[depth + in_group + 4][column];
      }
#pragma unroll
      for (int i = 0; i < kWarpM / kMmaM; ++i) {
#pragma unroll
        for (int j = 0; j < kWarpN / kMmaN; ++j) multiply_add(sum[i][j], of_a[i], of_b[j]);
      }
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }

#pragma unroll
  for (int i = 0; i < kWarpM / kMmaM; ++i) {
#pragma unroll
    for (int j = 0; j < kWarpN / kMmaN; ++j) {
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const int row = first_row + warp_row + i * kMmaM + group + part / 2 * 8;
        const int column = first_column + warp_column + j * kMmaN + in_group * 2 + part % 2;
        if (row < m && column < n) c[row * n + column] = sum[i][j][part];
      }
    }
  }
}
