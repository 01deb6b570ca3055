// The same convolution in two ways: directly, and as a
// product of matrices, for which im2col writes every window
// out as a column.
// nvcc -o im2col im2col.cu && ./im2col
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program where a CUDA call fails.
#define CHECK(call)                           \
  do {                                        \
    cudaError_t error = (call);               \
    if (error != cudaSuccess) {               \
      fprintf(stderr, "line %d: %s\n",        \
              __LINE__,                       \
              cudaGetErrorString(error));     \
      exit(EXIT_FAILURE);                     \
    }                                         \
  } while (0)

// x: [n][c][h][w], weights: [k][c][r][s], bias: [k], y: [n][k][p][q]
__global__ void convolution(const float* x, const float* weights, const float* bias, float* y,
                            int n, int c, int h, int w, int k, int r, int s, int p, int q,
                            int stride, int pad, int dilation) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int filter = blockIdx.y, image = blockIdx.z;
  if (pixel >= p * q) return;
  const int out_row = pixel / q, out_column = pixel % q;

  float sum = 0;
  for (int channel = 0; channel < c; ++channel) {
    const float* plane = x + (image * c + channel) * h * w;
    const float* taps = weights + (filter * c + channel) * r * s;
    for (int tap_row = 0; tap_row < r; ++tap_row) {
      const int row = out_row * stride - pad + tap_row * dilation;
      if (row < 0 || row >= h) continue;
      for (int tap_column = 0; tap_column < s; ++tap_column) {
        const int column = out_column * stride - pad + tap_column * dilation;
        if (column < 0 || column >= w) continue;
        sum += plane[row * w + column] * taps[tap_row * s + tap_column];
      }
    }
  }
  y[((image * k + filter) * p + out_row) * q + out_column] = sum + bias[filter];
}

#define TILE_M 64   // filters a block, a multiple of 16
#define TILE_N 128  // pixels a block, a multiple of 16
#define TILE_K 8    // depth of a step
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

// A copy of the array in the GPU's memory.
float* on_gpu(const std::vector<float>& values) {
  const size_t bytes = values.size() * sizeof(float);
  float* d_values;
  CHECK(cudaMalloc(&d_values, bytes));
  CHECK(cudaMemcpy(d_values, values.data(), bytes,
                   cudaMemcpyHostToDevice));
  return d_values;
}

// An array of the GPU's memory, back on the CPU.
std::vector<float> from_gpu(const float* d_values,
                            size_t count) {
  std::vector<float> values(count);
  CHECK(cudaMemcpy(values.data(), d_values,
                   count * sizeof(float),
                   cudaMemcpyDeviceToHost));
  return values;
}

// Numbers from -1 to 1.
std::vector<float> numbers(size_t count, unsigned seed) {
  std::vector<float> made(count);
  for (float& one : made) {
    seed = seed * 1664525u + 1013904223u;
    one = float(seed >> 8) / float(1 << 23) - 1;
  }
  return made;
}

// The largest difference between two arrays.
double difference(const std::vector<float>& a,
                  const std::vector<float>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

int main() {
  const int n = 2, c = 4, h = 14, w = 14, k = 16, r = 3, s = 3;
  const int stride = 1, pad = 1, dilation = 1;
  const int p = h, q = w;  // as stride 1 and pad 1 keep them
  const int depth = c * r * s;
  const auto x = numbers(n * c * h * w, 1);
  const auto weights = numbers(k * depth, 2);
  const auto bias = numbers(k, 3);
  const size_t outputs = size_t(n) * k * p * q;
  const size_t column_bytes =
      size_t(n) * depth * p * q * sizeof(float);

  float *d_x = on_gpu(x), *d_weights = on_gpu(weights),
        *d_bias = on_gpu(bias), *d_y, *d_columns;
  CHECK(cudaMalloc(&d_y, outputs * sizeof(float)));
  CHECK(cudaMalloc(&d_columns, column_bytes));

  const int block = 256;
  const int blocks = (p * q + block - 1) / block;
  convolution<<<dim3(blocks, k, n), block>>>(
      d_x, d_weights, d_bias, d_y, n, c, h, w, k, r, s, p, q,
      stride, pad, dilation);
  CHECK(cudaGetLastError());
  const auto direct = from_gpu(d_y, outputs);

  im2col<<<dim3(blocks, depth, n), block>>>(
      d_x, d_columns, c, h, w, r, s, p, q, stride, pad,
      dilation);
  CHECK(cudaGetLastError());
  const dim3 tiles((p * q + TILE_N - 1) / TILE_N,
                   (k + TILE_M - 1) / TILE_M, n);
  multiply<<<tiles, kThreads>>>(d_weights, d_columns, d_bias,
                                d_y, k, p * q, depth);
  CHECK(cudaGetLastError());
  const auto product = from_gpu(d_y, outputs);

  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_weights));
  CHECK(cudaFree(d_bias));
  CHECK(cudaFree(d_y));
  CHECK(cudaFree(d_columns));

  const double apart = difference(direct, product);
  printf("x takes %zu bytes, its columns %zu\n",
         x.size() * sizeof(float), column_bytes);
  printf("the two ways differ by at most %.1e\n", apart);
  const bool right = apart < 1e-4;
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
