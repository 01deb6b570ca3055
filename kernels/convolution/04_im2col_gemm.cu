//@ idea: write every window out as a column of a matrix; then convolution is a matrix product
//@ defines: TILE_M=64, TILE_N=128, TILE_K=8
//@ registers: 80
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s
//@ let: taps = c * r * s
//@ only: c * r * s <= 65535
//@ workspace: columns f32[n, taps, p * q]
//@ launch: im2col(x, columns, c, h, w, r, s, p, q, stride, pad, dilation)
//@ block: 256
//@ grid: ceil_div(p * q, block), taps, n
//@ launch: multiply(weights, columns, bias, y, k, p * q, taps)
//@ block: 256
//@ grid: ceil_div(p * q, TILE_N), ceil_div(k, TILE_M), n

// y = x * weights + bias      x: [n][c][h][w], weights: [k][c][r][s], bias: [k], y: [n][k][p][q]
//
// columns: [n][c r s][p q]. A column holds the words that one output sees, in the order of the
// filter's weights. So the outputs of an image are the product of the weights, as k rows of c r s,
// with the columns:
//   y[image] (k x p q) = weights (k x c r s) columns[image] (c r s x p q)
// and all that is known of fast matrix products applies. The price is the columns: every word of x
// is written r s times (at stride 1) and read again. For 3 x 3 filters that moves 18 times the
// bytes of x, and needs 9 times its memory.
#ifndef TILE_M
#define TILE_M 64  // filters a block, a multiple of 16
#endif
#ifndef TILE_N
#define TILE_N 128  // pixels a block, a multiple of 16
#endif
#ifndef TILE_K
#define TILE_K 8  // depth of a step
#endif
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column of the tile
constexpr int kThreadM = TILE_M / 16, kThreadN = TILE_N / 16;
static_assert(TILE_M % 16 == 0 && TILE_N % 16 == 0, "threads share a tile evenly");

__global__ void im2col(const float* x, float* columns, int c, int h, int w, int r, int s, int p,
                       int q, int stride, int pad, int dilation) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int tap = blockIdx.y, image = blockIdx.z;
  if (pixel >= p * q) return;
  const int channel = tap / (r * s), tap_row = tap / s % r, tap_column = tap % s;
  const int row = pixel / q * stride - pad + tap_row * dilation;
  const int column = pixel % q * stride - pad + tap_column * dilation;
  const bool inside = row >= 0 && row < h && column >= 0 && column < w;
  columns[(image * c * r * s + tap) * p * q + pixel] =
      inside ? x[((image * c + channel) * h + row) * w + column] : 0;
}

// y[image] = a b[image] + bias, a: [m][k], b[image]: [k][n], y[image]: [m][n], bias: [m]
__global__ void __launch_bounds__(kThreads)
    multiply(const float* a, const float* b, const float* bias, float* y, int m, int n, int k) {
  __shared__ float tile_a[TILE_K][TILE_M + 1], tile_b[TILE_K][TILE_N];
  b += blockIdx.z * k * n;
  y += blockIdx.z * m * n;
  const int first_row = blockIdx.y * TILE_M, first_column = blockIdx.x * TILE_N;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
    for (int i = threadIdx.x; i < TILE_M * TILE_K; i += kThreads) {
      const int row = first_row + i / TILE_K, depth = tile_k + i % TILE_K;
      tile_a[i % TILE_K][i / TILE_K] = row < m && depth < k ? a[row * k + depth] : 0;
    }
    for (int i = threadIdx.x; i < TILE_K * TILE_N; i += kThreads) {
      const int depth = tile_k + i / TILE_N, column = first_column + i % TILE_N;
      tile_b[i / TILE_N][i % TILE_N] = depth < k && column < n ? b[depth * n + column] : 0;
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
    const int row = first_row + thread_row + i * 16;
    if (row >= m) break;
#pragma unroll
    for (int j = 0; j < kThreadN; ++j) {
      const int column = first_column + thread_column + j * 16;
      if (column < n) y[row * n + column] = sum[i][j] + bias[row];
    }
  }
}
