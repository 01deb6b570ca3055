//@ idea: the same matrix product, but the columns are never written: a tile of them is gathered from x when it is needed
//@ defines: TILE_M=64, TILE_N=128, TILE_K=8
//@ block: 256
//@ grid: ceil_div(n * p * q, TILE_N), ceil_div(k, TILE_M)
//@ registers: 96
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s

// y = x * weights + bias      x: [n][c][h][w], weights: [k][c][r][s], bias: [k], y: [n][k][p][q]
//
// The product of im2col, k x (n p q) of depth c r s, with the pixels of all images side by side.
// Where it fetched an element of the columns, this kernel works out which word of x that is. So x
// is read from its own place, mostly from the caches, and no memory is needed beside it.
//
// Working it out takes divisions, and they would cost more than the multiply-adds if each element
// paid for them. Half of it depends on the pixel, which a thread keeps through all steps: done
// once. The other half depends on the depth (channel, row and column of the filter), which all
// threads share: TILE_K threads do it for the block, one step ahead.
#ifndef TILE_M
#define TILE_M 64  // filters a block, a multiple of 16
#endif
#ifndef TILE_N
#define TILE_N 128  // pixels a block, a divisor of the 256 threads
#endif
#ifndef TILE_K
#define TILE_K 8  // depth of a step
#endif
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column of the tile
constexpr int kThreadM = TILE_M / 16, kThreadN = TILE_N / 16;
static_assert(TILE_M % 16 == 0 && TILE_N % 16 == 0, "threads share a tile evenly");
static_assert(kThreads % TILE_N == 0, "a thread keeps its pixel");

struct Tap {
  int channel;      // -1: beyond the last
  int row, column;  // from the window's corner
};

__device__ Tap tap_at(int depth, int c, int r, int s, int dilation) {
  if (depth >= c * r * s) return {-1, 0, 0};
  return {depth / (r * s), depth / s % r * dilation, depth % s * dilation};
}

__global__ void __launch_bounds__(kThreads)
    convolution(const float* x, const float* weights, const float* bias, float* y, int n, int c,
                int h, int w, int k, int r, int s, int p, int q, int stride, int pad,
                int dilation) {
  __shared__ float tile_a[TILE_K][TILE_M + 1], tile_b[TILE_K][TILE_N];
  __shared__ Tap taps[TILE_K];
  const int depths = c * r * s, pixels = n * p * q;
  const int first_filter = blockIdx.y * TILE_M, first_pixel = blockIdx.x * TILE_N;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  // The pixel that this thread fetches for, and the corner of its window.
  const int pixel = first_pixel + threadIdx.x % TILE_N;
  const int image = pixel / (p * q);
  const int corner_row = pixel / q % p * stride - pad, corner_column = pixel % q * stride - pad;

  if (threadIdx.x < TILE_K) taps[threadIdx.x] = tap_at(threadIdx.x, c, r, s, dilation);
  __syncthreads();  // the first step's taps are there

  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = 0; tile_k < depths; tile_k += TILE_K) {
    for (int i = threadIdx.x; i < TILE_M * TILE_K; i += kThreads) {
      const int filter = first_filter + i / TILE_K, depth = tile_k + i % TILE_K;
      tile_a[i % TILE_K][i / TILE_K] =
          filter < k && depth < depths ? weights[filter * depths + depth] : 0;
    }
    for (int depth = threadIdx.x / TILE_N; depth < TILE_K; depth += kThreads / TILE_N) {
      const Tap tap = taps[depth];
      const int row = corner_row + tap.row, column = corner_column + tap.column;
      const bool inside =
          pixel < pixels && tap.channel >= 0 && row >= 0 && row < h && column >= 0 && column < w;
      tile_b[depth][threadIdx.x % TILE_N] =
          inside ? x[((image * c + tap.channel) * h + row) * w + column] : 0;
    }
    __syncthreads();  // the tiles are whole, and the taps have been read

    if (threadIdx.x < TILE_K) {
      taps[threadIdx.x] = tap_at(tile_k + TILE_K + threadIdx.x, c, r, s, dilation);
    }
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
    __syncthreads();  // everyone has read the tiles, and the next step's taps are there
  }

#pragma unroll
  for (int j = 0; j < kThreadN; ++j) {
    const int out_pixel = first_pixel + thread_column + j * 16;
    if (out_pixel >= pixels) break;
    const int out_image = out_pixel / (p * q);
#pragma unroll
    for (int i = 0; i < kThreadM; ++i) {
      const int filter = first_filter + thread_row + i * 16;
      if (filter < k) {
        y[(out_image * k + filter) * p * q + out_pixel % (p * q)] = sum[i][j] + bias[filter];
      }
    }
  }
}
