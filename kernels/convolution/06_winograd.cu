//@ idea: Winograd F(2x2, 3x3): 16 multiplications for four outputs instead of 36
//@ only: r == 3, s == 3, stride == 1, dilation == 1
//@ registers: 80
//@ tolerance: winograd
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s
//@ let: tiles = n * ceil_div(p, 2) * ceil_div(q, 2)
//@ workspace: filters_t f32[16, k, c]
//@ workspace: images_t f32[16, c, tiles]
//@ workspace: products f32[16, k, tiles]
//@ block: 256
//@ launch: transform_filters(weights, filters_t, k * c)
//@ grid: ceil_div(k * c, block)
//@ launch: transform_images(x, images_t, c, h, w, p, q, pad, tiles)
//@ grid: ceil_div(tiles, block), c
//@ launch: multiply(filters_t, images_t, products, k, tiles, c)
//@ grid: ceil_div(tiles, 128), ceil_div(k, 64), 16
//@ launch: transform_outputs(products, bias, y, k, p, q, tiles)
//@ grid: ceil_div(tiles, block), k

// y = x * weights + bias, 3 x 3, stride 1
// x: [n][c][h][w], weights: [k][c][3][3], bias: [k], y: [n][k][p][q]
//
// Two neighbouring outputs of a filter of 3 weights, (x0 x1 x2) . g and (x1 x2 x3) . g, take six
// products; Winograd's four
//   (x0 - x2) g0    (x1 + x2) (g0 + g1 + g2) / 2    (x2 - x1) (g0 - g1 + g2) / 2    (x1 - x3) g2
// give both by additions. The same along rows and columns: a tile of 4 x 4 of x and the filter,
// each brought into 16 numbers by additions, are multiplied number by number, and additions make 2
// x 2 outputs of the 16 products. The products are summed over the channels before that last step,
// so for each of the 16 it is a matrix product:
//   products[i] (k x tiles) = filters_t[i] (k x c) images_t[i] (c x tiles)
// 2.25 times fewer multiply-adds than before; images_t is four times x, products four times y.
// The additions cost digits: the error is bounded as a whole, not by the rule for sums of products.
constexpr int kTileM = 64, kTileN = 128,
              kTileK = 8;      // filters, tiles and channels of a block's step
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
__global__ void transform_filters(const float* weights, float* filters_t, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= count) return;
  float half[4][3];
  for (int j = 0; j < 3; ++j) spread_weights(weights + index * 9 + j, 3, &half[0][j], 3);
  for (int i = 0; i < 4; ++i) spread_weights(half[i], 1, filters_t + i * 4 * count + index, count);
}

// One thread a tile and channel: images_t = B^T d B of the 4 x 4 words d that 2 x 2 outputs see.
__global__ void transform_images(const float* x, float* images_t, int c, int h, int w, int p, int q,
                                 int pad, int tiles) {
  const int tile = blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y;
  if (tile >= tiles) return;
  const int tile_rows = (p + 1) / 2, tile_columns = (q + 1) / 2;
  const int image = tile / (tile_rows * tile_columns);
  const int first_row = tile / tile_columns % tile_rows * 2 - pad;
  const int first_column = tile % tile_columns * 2 - pad;
  const float* plane = x + (image * c + channel) * h * w;
  float half[4][4];
  for (int j = 0; j < 4; ++j) {
    float d[4];
    for (int i = 0; i < 4; ++i) {
      const int row = first_row + i, column = first_column + j;
      d[i] = row >= 0 && row < h && column >= 0 && column < w ? plane[row * w + column] : 0;
    }
    spread_words(d, &half[0][j], 4);
  }
  const int step = c * tiles;
  for (int i = 0; i < 4; ++i)
    spread_words(half[i], images_t + i * 4 * step + channel * tiles + tile, step);
}

// result[z] = a[z] b[z], a[z]: [m][k], b[z]: [k][n], result[z]: [m][n]
__global__ void __launch_bounds__(kThreads)
    multiply(const float* a, const float* b, float* result, int m, int n, int k) {
  __shared__ float tile_a[kTileK][kTileM + 1], tile_b[kTileK][kTileN];
  a += blockIdx.z * m * k, b += blockIdx.z * k * n, result += blockIdx.z * m * n;
  const int first_row = blockIdx.y * kTileM, first_column = blockIdx.x * kTileN;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;
  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = 0; tile_k < k; tile_k += kTileK) {
    for (int i = threadIdx.x; i < kTileM * kTileK; i += kThreads) {
      const int row = first_row + i / kTileK, depth = tile_k + i % kTileK;
      tile_a[i % kTileK][i / kTileK] = row < m && depth < k ? a[row * k + depth] : 0;
    }
    for (int i = threadIdx.x; i < kTileK * kTileN; i += kThreads) {
      const int depth = tile_k + i / kTileN, column = first_column + i % kTileN;
      tile_b[i / kTileN][i % kTileN] = depth < k && column < n ? b[depth * n + column] : 0;
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
  const int tile = blockIdx.x * blockDim.x + threadIdx.x, filter = blockIdx.y;
  if (tile >= tiles) return;
  const int tile_rows = (p + 1) / 2, tile_columns = (q + 1) / 2;
  const int image = tile / (tile_rows * tile_columns);
  const int out_row = tile / tile_columns % tile_rows * 2, out_column = tile % tile_columns * 2;
  const float* from = products + filter * tiles + tile;
  const int step = k * tiles;
  float half[2][4];  // A^T products
  for (int j = 0; j < 4; ++j) {
    const float one = from[(4 + j) * step], two = from[(8 + j) * step];
    half[0][j] = from[j * step] + one + two;
    half[1][j] = one - two - from[(12 + j) * step];
  }
  for (int i = 0; i < 2; ++i) {
    const float out[2] = {half[i][0] + half[i][1] + half[i][2],
                          half[i][1] - half[i][2] - half[i][3]};
    for (int j = 0; j < 2; ++j) {
      if (out_row + i < p && out_column + j < q) {
        y[((image * k + filter) * p + out_row + i) * q + out_column + j] = out[j] + bias[filter];
      }
    }
  }
}
