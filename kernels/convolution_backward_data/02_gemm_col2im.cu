//@ idea: a matrix product makes the gradients of im2col's columns, and each pixel adds up its own
//@ defines: TILE_M=64, TILE_N=128, TILE_K=8
//@ registers: 80
//@ bytes: 4 * (n * k * p * q + k * c * r * s + n * c * h * w)
//@ flops: 2 * n * k * p * q * c * r * s
//@ let: taps = c * r * s
//@ workspace: columns f32[n, taps, p * q]
//@ block: 256
//@ launch: multiply(weights, dy, columns, taps, p * q, k)
//@ grid: ceil_div(p * q, TILE_N), ceil_div(taps, TILE_M), n
//@ launch: col2im(columns, dx, c, h, w, r, s, p, q, stride, pad, dilation)
//@ grid: ceil_div(h * w, block), c, n

// dx = dy * weights, transposed      dy: [n][k][p][q], weights: [k][c][r][s], dx: [n][c][h][w]
//
// Forward, y was weights (k x c r s) times columns (c r s x p q). So the columns' gradient is the
// weights, transposed, times dy (k x p q): a matrix product of depth k. A word of x was copied into
// up to r s columns; its gradient is the sum of theirs (col2im). As in the forward pass, the
// columns take r s times the bytes of x, written and read.
#ifndef TILE_M
#define TILE_M 64  // taps a block, a multiple of 16
#endif
#ifndef TILE_N
#define TILE_N 128  // pixels a block, a multiple of 16
#endif
#ifndef TILE_K
#define TILE_K 8  // filters of a step
#endif
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column of the tile
constexpr int kThreadM = TILE_M / 16, kThreadN = TILE_N / 16;
static_assert(TILE_M % 16 == 0 && TILE_N % 16 == 0, "threads share a tile evenly");

// columns[image] = a^T b[image], a: [k][m], b[image]: [k][n], columns[image]: [m][n]
__global__ void __launch_bounds__(kThreads)
    multiply(const float* a, const float* b, float* columns, int m, int n, int k) {
  __shared__ float tile_a[TILE_K][TILE_M], tile_b[TILE_K][TILE_N];
  b += blockIdx.z * k * n;
  columns += blockIdx.z * m * n;
  const int first_row = blockIdx.y * TILE_M, first_column = blockIdx.x * TILE_N;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
    // The weights lie with the depth (the filter) outermost already: transposed costs nothing here.
    for (int i = threadIdx.x; i < TILE_K * TILE_M; i += kThreads) {
      const int depth = tile_k + i / TILE_M, row = first_row + i % TILE_M;
      tile_a[i / TILE_M][i % TILE_M] = depth < k && row < m ? a[depth * m + row] : 0;
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
      if (column < n) columns[row * n + column] = sum[i][j];
    }
  }
}

// One thread an element of dx adds the columns' gradients that are its own.
__global__ void col2im(const float* columns, float* dx, int c, int h, int w, int r, int s, int p,
                       int q, int stride, int pad, int dilation) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int channel = blockIdx.y, image = blockIdx.z;
  if (pixel >= h * w) return;
  const int row = pixel / w, column = pixel % w;

  float sum = 0;
  for (int tap_row = 0; tap_row < r; ++tap_row) {
    const int from_row = row + pad - tap_row * dilation, out_row = from_row / stride;
    if (from_row < 0 || from_row % stride != 0 || out_row >= p) continue;
    for (int tap_column = 0; tap_column < s; ++tap_column) {
      const int from_column = column + pad - tap_column * dilation;
      const int out_column = from_column / stride;
      if (from_column < 0 || from_column % stride != 0 || out_column >= q) continue;
      const int tap = ((image * c + channel) * r + tap_row) * s + tap_column;
      sum += columns[(tap * p + out_row) * q + out_column];
    }
  }
  dx[(image * c + channel) * h * w + pixel] = sum;
}
