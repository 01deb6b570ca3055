//@ idea: Winograd F(2x2, 3x3) with the channels as its fast index: every step runs along whole sectors
//@ only: r == 3, s == 3, stride == 1, dilation == 1
//@ registers: 80
//@ tolerance: winograd
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s
//@ let: tiles = n * ceil_div(p, 2) * ceil_div(q, 2)
//@ workspace: filters_t f32[16, k, c]
//@ workspace: images_t f32[16, tiles, c]
//@ workspace: products f32[16, tiles, k]
//@ block: 128
//@ launch: transform_filters(weights, filters_t, k, c)
//@ grid: k, ceil_div(c, block)
//@ launch: transform_images(x, images_t, c, h, w, p, q, pad, tiles)
//@ grid: tiles, ceil_div(c, block)
//@ launch: multiply(images_t, filters_t, products, tiles, k, c)
//@ grid: ceil_div(tiles, 128), ceil_div(k, 64), 16
//@ block: 256
//@ launch: transform_outputs(products, bias, y, k, p, q, tiles)
//@ grid: tiles, ceil_div(k, block)

// y = x * weights + bias, 3 x 3, stride 1
// x: [n][h][w][c], weights: [k][3][3][c], bias: [k], y: [n][p][q][k]
//
// The steps of kernels/convolution's Winograd rung, which says why they are right: 16 numbers for
// each filter and channel, 16 for each tile of 4 x 4 words and channel, 16 matrix products
//   products[i] (tiles x k) = images_t[i] (tiles x c) filters_t[i] (k x c), transposed
// and 2 x 2 outputs of each 16 sums. There a thread's neighbours took the neighbouring tile, two
// words further on; here they take the neighbouring channel of the same tile.
constexpr int kTileM = 128, kTileN = 64,
              kTileK = 8;      // tiles, filters and channels of a block's step
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column
constexpr int kThreadM = kTileM / 16, kThreadN = kTileN / 16;

// G g: a filter's three weights, `from` apart, become four numbers `to` apart.
__device__ void spread_weights(const float* g, int from, float* out, int to) {
  out[0] = g[0];
  out[to] = 0.5f * (g[0] + g[from] + g[2 * from]);
  out[2 * to] = 0.5f * (g[0] - g[from] + g[2 * from]);
  out[3 * to] = g[2 * from];
}
// B^T d: four neighbouring words.
__device__ void spread_words(const float* d, float* out, int to) {
  out[0] = d[0] - d[2];
  out[to] = d[1] + d[2];
  out[2 * to] = d[2] - d[1];
  out[3 * to] = d[1] - d[3];
}

// One thread a filter and channel: filters_t = G g G^T, along the columns, then along the rows.
__global__ void transform_filters(const float* weights, float* filters_t, int k, int c) {
  const int filter = blockIdx.x, channel = blockIdx.y * blockDim.x + threadIdx.x;
  if (channel >= c) return;
  const float* g = weights + filter * 9 * c + channel;
  float half[4][3];
  for (int j = 0; j < 3; ++j) spread_weights(g + j * c, 3 * c, &half[0][j], 3);
  for (int i = 0; i < 4; ++i)
    spread_weights(half[i], 1, filters_t + (i * 4 * k + filter) * c + channel, k * c);
}

// One thread a tile and channel: images_t = B^T d B of the 4 x 4 words d that 2 x 2 outputs see.
__global__ void transform_images(const float* x, float* images_t, int c, int h, int w, int p, int q,
                                 int pad, int tiles) {
  const int tile = blockIdx.x, channel = blockIdx.y * blockDim.x + threadIdx.x;
  if (channel >= c) return;
  const int tile_rows = (p + 1) / 2, tile_columns = (q + 1) / 2;
  const int image = tile / (tile_rows * tile_columns);
  const int first_row = tile / tile_columns % tile_rows * 2 - pad;
  const int first_column = tile % tile_columns * 2 - pad;
  float half[4][4];
  for (int j = 0; j < 4; ++j) {
    float d[4];
    for (int i = 0; i < 4; ++i) {
      const int row = first_row + i, column = first_column + j;
      const bool inside = row >= 0 && row < h && column >= 0 && column < w;
      d[i] = inside ? x[((image * h + row) * w + column) * c + channel] : 0;
    }
    spread_words(d, &half[0][j], 4);
  }
  for (int i = 0; i < 4; ++i)
    spread_words(half[i], images_t + (i * 4 * tiles + tile) * c + channel, tiles * c);
}

// result[z] = a[z] b[z]^T, a[z]: [m][k], b[z]: [n][k], result[z]: [m][n]
__global__ void __launch_bounds__(kThreads)
    multiply(const float* a, const float* b, float* result, int m, int n, int k) {
  __shared__ float tile_a[kTileK][kTileM + 1], tile_b[kTileK][kTileN + 1];
  a += blockIdx.z * m * k, b += blockIdx.z * n * k, result += blockIdx.z * m * n;
  const int first_row = blockIdx.x * kTileM, first_column = blockIdx.y * kTileN;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;
  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = 0; tile_k < k; tile_k += kTileK) {
    for (int i = threadIdx.x; i < kTileM * kTileK; i += kThreads) {
      const int row = first_row + i / kTileK, depth = tile_k + i % kTileK;
      tile_a[i % kTileK][i / kTileK] = row < m && depth < k ? a[row * k + depth] : 0;
    }
    for (int i = threadIdx.x; i < kTileN * kTileK; i += kThreads) {
      const int column = first_column + i / kTileK, depth = tile_k + i % kTileK;
      tile_b[i % kTileK][i / kTileK] = column < n && depth < k ? b[column * k + depth] : 0;
    }
    __syncthreads();  // the tiles are whole before anyone reads them
#pragma unroll
    for (int depth = 0; depth < kTileK; ++depth) {
#pragma unroll
      for (int i = 0; i < kThreadM; ++i) {
#pragma unroll
        for (int j = 0; j < kThreadN; ++j)
          sum[i][j] += tile_a[depth][thread_row + i * 16] * tile_b[depth][thread_column + j * 16];
      }
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }
#pragma unroll
  for (int i = 0; i < kThreadM * kThreadN; ++i) {
    const int row = first_row + thread_row + i / kThreadN * 16;
    const int column = first_column + thread_column + i % kThreadN * 16;
    if (row < m && column < n) result[row * n + column] = sum[i / kThreadN][i % kThreadN];
  }
}

// One thread a tile and filter: y = A^T products A + bias, the part of the 2 x 2 that is inside.
__global__ void transform_outputs(const float* products, const float* bias, float* y, int k, int p,
                                  int q, int tiles) {
  const int tile = blockIdx.x, filter = blockIdx.y * blockDim.x + threadIdx.x;
  if (filter >= k) return;
  const int tile_rows = (p + 1) / 2, tile_columns = (q + 1) / 2;
  const int image = tile / (tile_rows * tile_columns);
  const int out_row = tile / tile_columns % tile_rows * 2, out_column = tile % tile_columns * 2;
  const float* from = products + tile * k + filter;
  const int step = tiles * k;
  float half[2][4];  // A^T products
  for (int j = 0; j < 4; ++j) {
    const float one = from[(4 + j) * step], two = from[(8 + j) * step];
    half[0][j] = from[j * step] + one + two;
    half[1][j] = one - two - from[(12 + j) * step];
  }
  for (int i = 0; i < 4; ++i) {
    const int row = out_row + i / 2, column = out_column + i % 2;
    const float* sums = half[i / 2];
    const float out = i % 2 == 0 ? sums[0] + sums[1] + sums[2] : sums[1] - sums[2] - sums[3];
    if (row < p && column < q)
      y[((image * p + row) * q + column) * k + filter] = out + bias[filter];
  }
}
