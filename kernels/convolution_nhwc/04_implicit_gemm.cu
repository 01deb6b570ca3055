//@ idea: the same product, but a window is looked up in x when it is needed, four channels an access
//@ defines: TILE_M=128, TILE_N=64, TILE_K=8
//@ block: 256
//@ grid: ceil_div(n * p * q, TILE_M), ceil_div(k, TILE_N)
//@ registers: 96
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s

// y = x * weights + bias      x: [n][h][w][c], weights: [k][r][s][c], bias: [k], y: [n][p][q][k]
//
// The product of im2col without the windows' memory: a block looks them up in x as it makes its
// tiles. Where c is a multiple of 4, four steps of depth are four channels of one tap: neighbours in
// x and in the weights. One division finds them and one access of 16 bytes fetches them. That is why
// libraries like NHWC.
#ifndef TILE_M
#define TILE_M 128  // pixels a block, a multiple of 16
#endif
#ifndef TILE_N
#define TILE_N 64  // filters a block, a multiple of 16
#endif
#ifndef TILE_K
#define TILE_K 8  // depth of a step, a multiple of 4
#endif
constexpr int kThreads = 256;  // 16 x 16, each with every 16th row and column of the tile
constexpr int kThreadM = TILE_M / 16, kThreadN = TILE_N / 16;
static_assert(TILE_M % 16 == 0 && TILE_N % 16 == 0, "threads share a tile evenly");
static_assert(TILE_K % 4 == 0, "a row of the tile is whole float4s");

__device__ bool is_aligned(const float* at) { return reinterpret_cast<size_t>(at) % 16 == 0; }

struct Image {
  const float* x;
  int c, h, w, s, dilation, depths;

  // The word that the window with this corner has at `depth`; 0 outside.
  __device__ float at(int image, int corner_row, int corner_column, int depth) const {
    const float* from = address(image, corner_row, corner_column, depth);
    return from ? *from : 0;
  }
  // ... and the four from there on.
  __device__ float4 four(int image, int corner_row, int corner_column, int depth) const {
    if (c % 4 == 0 && is_aligned(x)) {
      const float* from = address(image, corner_row, corner_column, depth);
      return from ? *reinterpret_cast<const float4*>(from) : float4{};
    }
    return {at(image, corner_row, corner_column, depth),
            at(image, corner_row, corner_column, depth + 1),
            at(image, corner_row, corner_column, depth + 2),
            at(image, corner_row, corner_column, depth + 3)};
  }
  // Null outside the image.
  __device__ const float* address(int image, int corner_row, int corner_column, int depth) const {
    const int tap = depth / c, channel = depth - tap * c;
    const int row = corner_row + tap / s * dilation, column = corner_column + tap % s * dilation;
    const bool inside = depth < depths && row >= 0 && row < h && column >= 0 && column < w;
    return inside ? x + ((image * h + row) * w + column) * c + channel : nullptr;
  }
};

// row[column .. column + 3], 0 from `end` on
__device__ float4 load_four(const float* row, int column, int end) {
  const float* at = row + column;
  if (column + 4 <= end && is_aligned(at)) return *reinterpret_cast<const float4*>(at);
  return {column < end ? at[0] : 0, column + 1 < end ? at[1] : 0, column + 2 < end ? at[2] : 0,
          column + 3 < end ? at[3] : 0};
}

// Both tiles are stored with the depth outermost, so that the threads of a warp read neighbours.
__device__ void store_column(float* tile, int width, const float4& four) {
  tile[0] = four.x, tile[width] = four.y, tile[2 * width] = four.z, tile[3 * width] = four.w;
}

__global__ void __launch_bounds__(kThreads)
    convolution_nhwc(const float* x, const float* weights, const float* bias, float* y, int n,
                     int c, int h, int w, int k, int r, int s, int p, int q, int stride, int pad,
                     int dilation) {
  __shared__ float tile_a[TILE_K][TILE_M + 4], tile_b[TILE_K][TILE_N + 4];
  const int depths = r * s * c, pixels = n * p * q;
  const Image images = {x, c, h, w, s, dilation, depths};
  const int first_pixel = blockIdx.x * TILE_M, first_filter = blockIdx.y * TILE_N;
  const int thread_row = threadIdx.x / 16, thread_column = threadIdx.x % 16;

  float sum[kThreadM][kThreadN] = {};
  for (int tile_k = 0; tile_k < depths; tile_k += TILE_K) {
    for (int i = threadIdx.x; i < TILE_M * TILE_K / 4; i += kThreads) {
      const int tile_row = i / (TILE_K / 4), depth = i % (TILE_K / 4) * 4;
      const int pixel = first_pixel + tile_row;
      const int row = pixel / q % p * stride - pad, column = pixel % q * stride - pad;
      const float4 words =
          pixel < pixels ? images.four(pixel / (p * q), row, column, tile_k + depth) : float4{};
      store_column(&tile_a[depth][tile_row], TILE_M + 4, words);
    }
    for (int i = threadIdx.x; i < TILE_N * TILE_K / 4; i += kThreads) {
      const int tile_row = i / (TILE_K / 4), depth = i % (TILE_K / 4) * 4;
      const int filter = first_filter + tile_row;
      const float4 words =
          filter < k ? load_four(weights + filter * depths, tile_k + depth, depths) : float4{};
      store_column(&tile_b[depth][tile_row], TILE_N + 4, words);
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
    const int pixel = first_pixel + thread_row + i * 16;
    if (pixel >= pixels) break;
#pragma unroll
    for (int j = 0; j < kThreadN; ++j) {
      const int filter = first_filter + thread_column + j * 16;
      if (filter < k) y[pixel * k + filter] = sum[i][j] + bias[filter];
    }
  }
}
