//@ idea: a matrix product of channels by pixels, whose operand is gathered from dy when it is needed
//@ defines: TILE_M=64, TILE_N=128, TILE_K=8
//@ block: 256
//@ grid: ceil_div(n * h * w, TILE_N), ceil_div(c, TILE_M)
//@ registers: 96
//@ bytes: 4 * (n * k * p * q + k * c * r * s + n * c * h * w)
//@ flops: 2 * n * k * p * q * c * r * s

// dx = dy * weights, transposed      dy: [n][k][p][q], weights: [k][c][r][s], dx: [n][c][h][w]
//
// dx, as c rows of n h w pixels, is a product of depth k r s: of the weights, and of the outputs
// that saw each pixel through each tap. As forward (kernels/convolution, implicit GEMM), an element
// of the second is looked up in dy when its tile is made: what depends on the pixel is worked out
// once a thread, what depends on the depth once a block.
//
// With a stride above 1 most pixels were seen through one tap in stride x stride only, and the
// others multiply zeros: at stride 2, three quarters of the work. (Libraries run one product for
// each remainder of row and column instead.)
#ifndef TILE_M
#define TILE_M 64  // channels a block, a multiple of 16
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
  int filter, index, row, column;  // index: tap_row s + tap_column; filter -1: beyond the last
};

__device__ Tap tap_at(int depth, int k, int r, int s, int dilation) {
  if (depth >= k * r * s) return {-1, 0, 0, 0};
  return {depth / (r * s), depth % (r * s), depth / s % r * dilation, depth % s * dilation};
}

__global__ void __launch_bounds__(kThreads)
    convolution_backward_data(const float* dy, const float* weights, float* dx, int n, int c, int h,
                              int w, int k, int r, int s, int p, int q, int stride, int pad,
                              int dilation) {
  __shared__ float tile_a[TILE_K][TILE_M], tile_b[TILE_K][TILE_N];
  __shared__ Tap taps[TILE_K];
  const int depths = k * r * s, pixels = n * h * w;
  const int first_channel = blockIdx.y * TILE_M, first_pixel = blockIdx.x * TILE_N;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  // The pixel that this thread fetches for.
  const int pixel = first_pixel + threadIdx.x % TILE_N;
  const int image = pixel / (h * w);
  const int padded_row = pixel / w % h + pad, padded_column = pixel % w + pad;

  if (threadIdx.x < TILE_K) taps[threadIdx.x] = tap_at(threadIdx.x, k, r, s, dilation);
  __syncthreads();  // the first step's taps are there

  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = 0; tile_k < depths; tile_k += TILE_K) {
    for (int i = threadIdx.x; i < TILE_K * TILE_M; i += kThreads) {
      const Tap tap = taps[i / TILE_M];
      const int channel = first_channel + i % TILE_M;
      tile_a[i / TILE_M][i % TILE_M] = tap.filter >= 0 && channel < c
                                           ? weights[(tap.filter * c + channel) * r * s + tap.index]
                                           : 0;
    }
    for (int depth = threadIdx.x / TILE_N; depth < TILE_K; depth += kThreads / TILE_N) {
      const Tap tap = taps[depth];
      const int from_row = padded_row - tap.row, from_column = padded_column - tap.column;
      const int out_row = from_row / stride, out_column = from_column / stride;
      const bool was_seen = pixel < pixels && tap.filter >= 0 && from_row >= 0 &&
                            from_column >= 0 && out_row * stride == from_row &&
                            out_column * stride == from_column && out_row < p && out_column < q;
      tile_b[depth][threadIdx.x % TILE_N] =
          was_seen ? dy[((image * k + tap.filter) * p + out_row) * q + out_column] : 0;
    }
    __syncthreads();  // the tiles are whole, and the taps have been read

    if (threadIdx.x < TILE_K) {
      taps[threadIdx.x] = tap_at(tile_k + TILE_K + threadIdx.x, k, r, s, dilation);
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
    const int to_pixel = first_pixel + thread_column + j * 16;
    if (to_pixel >= pixels) break;
    const int to_image = to_pixel / (h * w);
#pragma unroll
    for (int i = 0; i < kThreadM; ++i) {
      const int channel = first_channel + thread_row + i * 16;
      if (channel < c) dx[(to_image * c + channel) * h * w + to_pixel % (h * w)] = sum[i][j];
    }
  }
}
