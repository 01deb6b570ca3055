//@ idea: a matrix product whose long depth is split among blocks; a second launch adds their parts in order
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

// dweights = dy * x      x: [n][c][h][w], dy: [n][k][p][q], dweights: [k][c][r][s]
//
// dweights (k x c r s) is the product of dy (k x n p q) with the windows (n p q x c r s), looked up
// in x as in the forward pass. Now each word that a block fetches serves a row or column of its
// tile, 64 weights.
//
// But the product is small and deep: 64 filters by 64 x 3 x 3 taps make 9 blocks of 64 x 64, of
// depth n p q = 50,176 (16 images of 56 x 56). So the depth is cut into pieces of SPLIT: 49 times
// as many blocks, each with its own part of every sum, and a second launch adds the parts, in
// order: two runs agree bit for bit, which atomic additions do not promise. The parts cost splits k
// c r s words written and read, 14 MB here; x and dy are 26 MB.
#ifndef TILE_M
#define TILE_M 64  // filters a block, a multiple of 16
#endif
#ifndef TILE_N
#define TILE_N 64  // taps a block, a multiple of 16
#endif
#ifndef TILE_K
#define TILE_K 16  // outputs of a step, a divisor of the 256 threads
#endif
#ifndef SPLIT
#define SPLIT 1024  // outputs a block, a multiple of TILE_K
#endif
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column of the tile
constexpr int kThreadM = TILE_M / 16, kThreadN = TILE_N / 16;
static_assert(TILE_M % 16 == 0 && TILE_N % 16 == 0, "threads share a tile evenly");
static_assert(SPLIT % TILE_K == 0, "a piece ends with a step");

__global__ void __launch_bounds__(kThreads)
    multiply(const float* x, const float* dy, float* parts, int n, int c, int h, int w, int k,
             int r, int s, int p, int q, int stride, int pad, int dilation) {
  __shared__ float tile_a[TILE_K][TILE_M + 1], tile_b[TILE_K][TILE_N + 1];
  const int taps = c * r * s, outputs = n * p * q;
  const int first_filter = blockIdx.y * TILE_M, first_tap = blockIdx.x * TILE_N;
  const int first_output = blockIdx.z * SPLIT, end = min(first_output + SPLIT, outputs);
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = first_output; tile_k < end; tile_k += TILE_K) {
    // Neighbouring threads fetch for neighbouring outputs, which lie side by side in dy and in x.
    const int depth = threadIdx.x % TILE_K, output = tile_k + depth;
    const int image = output / (p * q), pixel = output % (p * q);
    const int corner_row = pixel / q * stride - pad, corner_column = pixel % q * stride - pad;
    for (int i = threadIdx.x / TILE_K; i < TILE_M; i += kThreads / TILE_K) {
      const int filter = first_filter + i;
      tile_a[depth][i] = output < end && filter < k ? dy[(image * k + filter) * p * q + pixel] : 0;
    }
    for (int i = threadIdx.x / TILE_K; i < TILE_N; i += kThreads / TILE_K) {
      const int tap = first_tap + i, channel = tap / (r * s);
      const int row = corner_row + tap / s % r * dilation,
                column = corner_column + tap % s * dilation;
      const bool inside =
          output < end && tap < taps && row >= 0 && row < h && column >= 0 && column < w;
      tile_b[depth][i] = inside ? x[((image * c + channel) * h + row) * w + column] : 0;
    }
    __syncthreads();  // the tiles are whole before anyone reads them

#pragma unroll
    for (int step = 0; step < TILE_K; ++step) {
      float of_a[kThreadM];
#pragma unroll
      for (int i = 0; i < kThreadM; ++i) of_a[i] = tile_a[step][thread_row + i * 16];
#pragma unroll
      for (int j = 0; j < kThreadN; ++j) {
        const float of_b = tile_b[step][thread_column + j * 16];
#pragma unroll
        for (int i = 0; i < kThreadM; ++i) sum[i][j] += of_a[i] * of_b;
      }
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }

#pragma unroll
  for (int i = 0; i < kThreadM; ++i) {
    const int filter = first_filter + thread_row + i * 16;
    if (filter >= k) break;
#pragma unroll
    for (int j = 0; j < kThreadN; ++j) {
      const int tap = first_tap + thread_column + j * 16;
      if (tap < taps) parts[(blockIdx.z * k + filter) * taps + tap] = sum[i][j];
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
