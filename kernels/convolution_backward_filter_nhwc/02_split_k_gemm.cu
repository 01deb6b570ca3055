//@ idea: a matrix product whose long depth is split among blocks; both operands are read in the order in which they lie
//@ defines: TILE_M=64, TILE_N=64, TILE_K=16, SPLIT=1024
//@ let: splits = ceil_div(max(n * p * q, 1), SPLIT)
//@ workspace: parts f32[splits, k, c * r * s]
//@ registers: 80
//@ bytes: 4 * (n * c * h * w + n * k * p * q + k * c * r * s)
//@ flops: 2 * n * k * p * q * c * r * s
//@ block: 256
//@ launch: multiply(x, dy, parts, n, c, h, w, k, r, s, p, q, stride, pad, dilation)
//@ grid: ceil_div(c * r * s, TILE_N), ceil_div(k, TILE_M), splits
//@ launch: add_parts(parts, dweights, k * c * r * s, splits)
//@ grid: ceil_div(k * c * r * s, block)

// dweights = dy * x      x: [n][h][w][c], dy: [n][p][q][k], dweights: [k][r][s][c]
//
// The split product of kernels/convolution_backward_filter: dweights (k x r s c) = dy, transposed
// (k x n p q), times the windows (n p q x r s c), in pieces of SPLIT outputs whose parts a second
// launch adds in order.
//
// Here the depth is an output's index, and what belongs to one output lies together: its k words of
// dy, and for each tap its c words of x. So both tiles are filled row by row with neighbouring
// threads on neighbouring words, and need no transposing.
#ifndef TILE_M
#define TILE_M 64  // filters a block, a multiple of 16 and a divisor of the 256 threads
#endif
#ifndef TILE_N
#define TILE_N 64  // taps and channels a block, likewise
#endif
#ifndef TILE_K
#define TILE_K 16  // outputs of a step
#endif
#ifndef SPLIT
#define SPLIT 1024  // outputs a block, a multiple of TILE_K
#endif
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column of the tile
constexpr int kThreadM = TILE_M / 16, kThreadN = TILE_N / 16;
static_assert(TILE_M % 16 == 0 && TILE_N % 16 == 0, "threads share a tile evenly");
static_assert(kThreads % TILE_M == 0 && kThreads % TILE_N == 0, "a thread keeps filter and tap");
static_assert(SPLIT % TILE_K == 0, "a piece ends with a step");

__global__ void __launch_bounds__(kThreads)
    multiply(const float* x, const float* dy, float* parts, int n, int c, int h, int w, int k,
             int r, int s, int p, int q, int stride, int pad, int dilation) {
  __shared__ float tile_a[TILE_K][TILE_M], tile_b[TILE_K][TILE_N];
  const int taps = r * s * c, outputs = n * p * q;
  const int first_filter = blockIdx.y * TILE_M, first_tap = blockIdx.x * TILE_N;
  const int first_output = blockIdx.z * SPLIT, end = min(first_output + SPLIT, outputs);
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  // The filter and the tap that this thread fetches for, at every step.
  const int filter = first_filter + threadIdx.x % TILE_M, tap = first_tap + threadIdx.x % TILE_N;
  const int channel = tap % c;
  const int tap_row = tap / c / s * dilation - pad, tap_column = tap / c % s * dilation - pad;

  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = first_output; tile_k < end; tile_k += TILE_K) {
    for (int depth = threadIdx.x / TILE_M; depth < TILE_K; depth += kThreads / TILE_M) {
      const int output = tile_k + depth;
      tile_a[depth][threadIdx.x % TILE_M] =
          output < end && filter < k ? dy[output * k + filter] : 0;
    }
    for (int depth = threadIdx.x / TILE_N; depth < TILE_K; depth += kThreads / TILE_N) {
      const int output = tile_k + depth;
      const int row = output / q % p * stride + tap_row, column = output % q * stride + tap_column;
      const bool inside =
          output < end && tap < taps && row >= 0 && row < h && column >= 0 && column < w;
      tile_b[depth][threadIdx.x % TILE_N] =
          inside ? x[((output / (p * q) * h + row) * w + column) * c + channel] : 0;
    }
    __syncthreads();  // the tiles are whole before anyone reads them

#pragma unroll
    for (int depth = 0; depth < TILE_K; ++depth) {
      float of_a[kThreadM];
#pragma unroll
      for (int i = 0; i < kThreadM; ++i) of_a[i] = tile_a[depth][thread_row + i * 16];
#pragma unroll
      for (int j = 0; j < kThreadN; ++j) {
        const float of_b = tile_b[depth][thread_column + j * 16];
#pragma unroll
        for (int i = 0; i < kThreadM; ++i) sum[i][j] += of_a[i] * of_b;
      }
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }

#pragma unroll
  for (int i = 0; i < kThreadM; ++i) {
    const int to_filter = first_filter + thread_row + i * 16;
    if (to_filter >= k) break;
#pragma unroll
    for (int j = 0; j < kThreadN; ++j) {
      const int to_tap = first_tap + thread_column + j * 16;
      if (to_tap < taps) parts[(blockIdx.z * k + to_filter) * taps + to_tap] = sum[i][j];
    }
  }
}

// One thread a weight adds its parts, first to last.
__global__ void add_parts(const float* parts, float* dweights, int weights, int splits) {
  const int weight = blockIdx.x * blockDim.x + threadIdx.x;
  if (weight >= weights) return;
  float sum = 0;
  for (int split = 0; split < splits; ++split) sum += parts[split * weights + weight];
  dweights[weight] = sum;
}
