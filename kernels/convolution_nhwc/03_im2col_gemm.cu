//@ idea: write every window out as a row of a matrix; the product with the weights is y as it lies
//@ defines: TILE_M=128, TILE_N=64, TILE_K=8
//@ registers: 80
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s
//@ let: taps = r * s * c
//@ only: r * s <= 65535
//@ workspace: windows f32[n * p * q, taps]
//@ launch: im2row(x, windows, c, h, w, r, s, p, q, stride, pad, dilation)
//@ block: 128
//@ grid: n * p * q, r * s
//@ launch: multiply(windows, weights, bias, y, n * p * q, k, taps)
//@ block: 256
//@ grid: ceil_div(n * p * q, TILE_M), ceil_div(k, TILE_N)

// y = x * weights + bias      x: [n][h][w][c], weights: [k][r][s][c], bias: [k], y: [n][p][q][k]
//
// windows: [n p q][r s c]. A row holds the words that one output sees. In NHWC the c words of a tap
// are neighbours in x and in the row, so the copy runs along whole sectors, and
//   y (n p q x k) = windows (n p q x r s c) weights (k x r s c), transposed
// gives y in its own order, all images at once. As in NCHW the windows are r s times x, written and
// read. For a filter of 1 x 1 at stride 1 they are x itself: that convolution is a matrix product.
#ifndef TILE_M
#define TILE_M 128  // pixels a block, a multiple of 16
#endif
#ifndef TILE_N
#define TILE_N 64  // filters a block, a multiple of 16
#endif
#ifndef TILE_K
#define TILE_K 8  // depth of a step
#endif
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column of the tile
constexpr int kThreadM = TILE_M / 16, kThreadN = TILE_N / 16;
static_assert(TILE_M % 16 == 0 && TILE_N % 16 == 0, "threads share a tile evenly");

// A block copies one tap of one window: c words, or as many zeros outside the image.
__global__ void im2row(const float* x, float* windows, int c, int h, int w, int r, int s, int p,
                       int q, int stride, int pad, int dilation) {
  const int pixel = blockIdx.x, tap = blockIdx.y, image = pixel / (p * q);
  const int row = pixel / q % p * stride - pad + tap / s * dilation;
  const int column = pixel % q * stride - pad + tap % s * dilation;
  const bool inside = row >= 0 && row < h && column >= 0 && column < w;
  for (int channel = threadIdx.x; channel < c; channel += blockDim.x) {
    windows[(pixel * r * s + tap) * c + channel] =
        inside ? x[((image * h + row) * w + column) * c + channel] : 0;
  }
}

// y = a b^T + bias, a: [m][k], b: [n][k], y: [m][n], bias: [n]
__global__ void __launch_bounds__(kThreads)
    multiply(const float* a, const float* b, const float* bias, float* y, int m, int n, int k) {
  // One word more a row: the threads that fetch along the depth store down a column.
  __shared__ float tile_a[TILE_K][TILE_M + 1], tile_b[TILE_K][TILE_N + 1];
  const int first_row = blockIdx.x * TILE_M, first_column = blockIdx.y * TILE_N;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
    for (int i = threadIdx.x; i < TILE_M * TILE_K; i += kThreads) {
      const int row = first_row + i / TILE_K, depth = tile_k + i % TILE_K;
      tile_a[i % TILE_K][i / TILE_K] = row < m && depth < k ? a[row * k + depth] : 0;
    }
    for (int i = threadIdx.x; i < TILE_N * TILE_K; i += kThreads) {
      const int column = first_column + i / TILE_K, depth = tile_k + i % TILE_K;
      tile_b[i % TILE_K][i / TILE_K] = column < n && depth < k ? b[column * k + depth] : 0;
    }
    __syncthreads();  // the tiles are whole before anyone reads them

#pragma unroll
    for (int depth = 0; depth < TILE_K; ++depth) {
      float of_b[kThreadN];
#pragma unroll
      for (int j = 0; j < kThreadN; ++j) of_b[j] = tile_b[depth][thread_column + j * 16];
#pragma unroll
      for (int i = 0; i < kThreadM; ++i) {
        const float of_a = tile_a[depth][thread_row + i * 16];
#pragma unroll
        for (int j = 0; j < kThreadN; ++j) sum[i][j] += of_a * of_b[j];
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
      if (column < n) y[row * n + column] = sum[i][j] + bias[column];
    }
  }
}
