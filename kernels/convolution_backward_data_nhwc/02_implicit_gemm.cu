//@ idea: a matrix product of pixels by channels, with one tap at a time as its outer loop
//@ defines: TILE_M=128, TILE_N=64, TILE_K=8
//@ block: 256
//@ grid: ceil_div(n * h * w, TILE_M), ceil_div(c, TILE_N)
//@ registers: 96
//@ bytes: 4 * (n * k * p * q + k * c * r * s + n * c * h * w)
//@ flops: 2 * n * k * p * q * c * r * s

// dx = dy * weights, transposed      dy: [n][p][q][k], weights: [k][r][s][c], dx: [n][h][w][c]
//
// For one tap, dx is a plain product: of the outputs that saw each pixel through it (n h w rows of
// k, or rows of zeros where none did) with the tap's weights (k x c). So the outer loop runs
// through the taps, and finds each pixel's row of dy once; the inner loop is a matrix product along
// the filters, which are neighbours in dy.
#ifndef TILE_M
#define TILE_M 128  // pixels a block, a multiple of 16
#endif
#ifndef TILE_N
#define TILE_N 64  // channels a block, a multiple of 16
#endif
#ifndef TILE_K
#define TILE_K 8  // filters of a step
#endif
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column of the tile
constexpr int kThreadM = TILE_M / 16, kThreadN = TILE_N / 16;
static_assert(TILE_M % 16 == 0 && TILE_N % 16 == 0, "threads share a tile evenly");

__global__ void __launch_bounds__(kThreads)
    convolution_backward_data_nhwc(const float* dy, const float* weights, float* dx, int n, int c,
                                   int h, int w, int k, int r, int s, int p, int q, int stride,
                                   int pad, int dilation) {
  __shared__ float tile_a[TILE_K][TILE_M + 4], tile_b[TILE_K][TILE_N];
  __shared__ int seen_by[TILE_M];  // the output that saw the pixel through the tap; -1: none
  const int pixels = n * h * w;
  const int first_pixel = blockIdx.x * TILE_M, first_channel = blockIdx.y * TILE_N;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  float sum[kThreadM][kThreadN] = {};
  for (int tap = 0; tap < r * s; ++tap) {
    for (int i = threadIdx.x; i < TILE_M; i += kThreads) {
      const int pixel = first_pixel + i;
      const int from_row = pixel / w % h + pad - tap / s * dilation;
      const int from_column = pixel % w + pad - tap % s * dilation;
      const int out_row = from_row / stride, out_column = from_column / stride;
      const bool was_seen = pixel < pixels && from_row >= 0 && from_column >= 0 &&
                            out_row * stride == from_row && out_column * stride == from_column &&
                            out_row < p && out_column < q;
      seen_by[i] = was_seen ? (pixel / (h * w) * p + out_row) * q + out_column : -1;
    }
    __syncthreads();  // seen_by is whole before anyone reads it

    for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
      for (int i = threadIdx.x; i < TILE_M * TILE_K; i += kThreads) {
        const int filter = tile_k + i % TILE_K, output = seen_by[i / TILE_K];
        tile_a[i % TILE_K][i / TILE_K] = output >= 0 && filter < k ? dy[output * k + filter] : 0;
      }
      for (int i = threadIdx.x; i < TILE_K * TILE_N; i += kThreads) {
        const int filter = tile_k + i / TILE_N, channel = first_channel + i % TILE_N;
        tile_b[i / TILE_N][i % TILE_N] =
            filter < k && channel < c ? weights[(filter * r * s + tap) * c + channel] : 0;
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
      __syncthreads();  // everyone has read before the tiles, or seen_by, are overwritten
    }
  }

#pragma unroll
  for (int i = 0; i < kThreadM; ++i) {
    const int pixel = first_pixel + thread_row + i * 16;
    if (pixel >= pixels) break;
#pragma unroll
    for (int j = 0; j < kThreadN; ++j) {
      const int channel = first_channel + thread_column + j * 16;
      if (channel < c) dx[pixel * c + channel] = sum[i][j];
    }
  }
}
