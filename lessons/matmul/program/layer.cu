// Multiplies the words of a text by a layer's weights, with
// tiles and with a square of registers per thread, and checks
// both on the CPU.
// nvcc -o layer layer.cu && ./layer
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

constexpr int TILE = 16;

// c = a b     a: [m][k], b: [k][n], c: [m][n]
// Each thread computes one element.
__global__ void tiled(const float* a, const float* b,
                      float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    // What lies outside a matrix is 0 and adds nothing.
    bool in_a = row < m && first + x < k;
    bool in_b = first + y < k && column < n;
    tile_a[y][x] = in_a ? a[row * k + first + x] : 0;
    tile_b[y][x] = in_b ? b[(first + y) * n + column] : 0;
    __syncthreads();  // both tiles are full
    for (int d = 0; d < TILE; ++d)
      sum += tile_a[y][d] * tile_b[d][x];
    __syncthreads();  // nobody needs them any more
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

constexpr int SIDE = 64, DEPTH = 8;  // of a block's tiles
constexpr int OWN = 4;  // a thread's square is OWN x OWN
constexpr int ROW = SIDE / OWN;  // threads beside each other

// Each thread computes a square of elements.
__global__ void register_tile(const float* a,
                              const float* b, float* c,
                              int m, int n, int k) {
  __shared__ float tile_a[DEPTH][SIDE];
  __shared__ float tile_b[DEPTH][SIDE];
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  int row = threadIdx.x / ROW * OWN;
  int column = threadIdx.x % ROW * OWN;
  float sum[OWN][OWN] = {};
  for (int first = 0; first < k; first += DEPTH) {
    for (int i = threadIdx.x; i < SIDE * DEPTH;
         i += blockDim.x) {
      int r = top + i / DEPTH, d = first + i % DEPTH;
      tile_a[i % DEPTH][i / DEPTH] =
          r < m && d < k ? a[r * k + d] : 0;
    }
    for (int i = threadIdx.x; i < DEPTH * SIDE;
         i += blockDim.x) {
      int d = first + i / SIDE, col = left + i % SIDE;
      tile_b[i / SIDE][i % SIDE] =
          d < k && col < n ? b[d * n + col] : 0;
    }
    __syncthreads();  // both tiles are full
    for (int d = 0; d < DEPTH; ++d) {
      float of_a[OWN], of_b[OWN];
      for (int i = 0; i < OWN; ++i)
        of_a[i] = tile_a[d][row + i];
      for (int j = 0; j < OWN; ++j)
        of_b[j] = tile_b[d][column + j];
      for (int i = 0; i < OWN; ++i)
        for (int j = 0; j < OWN; ++j)
          sum[i][j] += of_a[i] * of_b[j];
    }
    __syncthreads();  // nobody needs them any more
  }
  for (int i = 0; i < OWN; ++i)
    for (int j = 0; j < OWN; ++j) {
      int r = top + row + i, col = left + column + j;
      if (r < m && col < n) c[r * n + col] = sum[i][j];
    }
}

// How many elements of c differ from the product by more
// than rounding explains.
int wrong(const std::vector<float>& a,
          const std::vector<float>& b,
          const std::vector<float>& c, int m, int n, int k) {
  int count = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = 0, size = 0;
      for (int d = 0; d < k; ++d) {
        double p = double(a[row * k + d]) * b[d * n + column];
        sum += p;
        size += std::fabs(p);
      }
      count += !(std::fabs(c[row * n + column] - sum) <=
                 1e-5 * size);
    }
  return count;
}

int main() {
  const int m = 100, n = 150, k = 70;  // no multiples
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = float(i * 7919 % 201) / 100 - 1;
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = float(i * 6101 % 199) / 99 - 1;

  float *d_a, *d_b, *d_c;
  const size_t bytes = sizeof(float);
  CHECK(cudaMalloc(&d_a, a.size() * bytes));
  CHECK(cudaMalloc(&d_b, b.size() * bytes));
  CHECK(cudaMalloc(&d_c, c.size() * bytes));
  CHECK(cudaMemcpy(d_a, a.data(), a.size() * bytes,
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b.data(), b.size() * bytes,
                   cudaMemcpyHostToDevice));

  tiled<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE),
          dim3(TILE, TILE)>>>(d_a, d_b, d_c, m, n, k);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), d_c, c.size() * bytes,
                   cudaMemcpyDeviceToHost));
  const int in_tiled = wrong(a, b, c, m, n, k);

  CHECK(cudaMemset(d_c, 0, c.size() * bytes));
  register_tile<<<dim3((n + SIDE - 1) / SIDE,
                       (m + SIDE - 1) / SIDE),
                  ROW * ROW>>>(d_a, d_b, d_c, m, n, k);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), d_c, c.size() * bytes,
                   cudaMemcpyDeviceToHost));
  const int in_registers = wrong(a, b, c, m, n, k);

  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
  if (in_tiled + in_registers == 0)
    printf("PASS\n");
  else
    printf("FAIL: %d and %d elements are wrong\n", in_tiled,
           in_registers);
  return in_tiled + in_registers == 0 ? EXIT_SUCCESS
                                      : EXIT_FAILURE;
}
