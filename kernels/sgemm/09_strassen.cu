//@ idea: Strassen: seven products of half the size instead of eight
//@ only: m <= 131070, k <= 131070
//@ defines: TILE=64, TILE_K=16
//@ registers: 80
//@ tolerance: strassen
//@ bytes: 4 * (m * k + k * n + m * n)
//@ flops: 2 * m * n * k
//@ let: half_m = ceil_div(m, 2)
//@ let: half_n = ceil_div(n, 2)
//@ let: half_k = ceil_div(k, 2)
//@ workspace: left f32[7, half_m, half_k]
//@ workspace: right f32[7, half_k, half_n]
//@ workspace: products f32[7, half_m, half_n]
//@ block: 256
//@ launch: split_left(a, left, m, k)
//@ grid: ceil_div(half_k, block), half_m
//@ launch: split_right(b, right, k, n)
//@ grid: ceil_div(half_n, block), half_k
//@ launch: multiply(left, right, products, half_m, half_n, half_k)
//@ grid: ceil_div(half_n, TILE), ceil_div(half_m, TILE), 7
//@ block: TILE * TILE / 16
//@ launch: combine(products, c, m, n)
//@ grid: ceil_div(half_n, block), half_m

// c = a b      a: [m][k], b: [k][n], c: [m][n], row-major
//
// Cut A, B and C into quarters 11 12 / 21 22. C takes eight products of quarters; Strassen found
// seven, of sums of quarters:
//   p0 = (a11 + a22) (b11 + b22)    p1 = (a21 + a22) b11    p2 = a11 (b12 - b22)
//   p3 = a22 (b21 - b11)    p4 = (a11 + a12) b22    p5 = (a21 - a11) (b11 + b12)
//   p6 = (a12 - a22) (b21 + b22)
//   c11 = p0 + p3 - p4 + p6     c12 = p2 + p4     c21 = p1 + p3     c22 = p0 - p1 + p2 + p5
// An eighth of the multiply-adds is saved, at the price of writing and reading seven quarters of sums
// of A, of B and of products: 14 bytes more for each element of A, B and C. At m = n = k = 4096 on an
// H200 the multiply-adds saved take 0.26 ms of 2.05, that traffic 0.15: about there it begins to pay.
// The sums cancel digits that plain addition keeps: the error is several times that of the other
// rungs, and is bounded against the largest elements, not against each.
//
// Four launches: split the left and the right operands, multiply all seven pairs at once, combine.
// Odd sizes are rounded up to even ones by rows and columns of zeros that are never stored.
#ifndef TILE
#define TILE 64  // rows and columns of a product a block
#endif
#ifndef TILE_K
#define TILE_K 16  // depth of a step
#endif
constexpr int kThread = 4;  // rows and columns a thread
constexpr int kThreads = TILE * TILE / (kThread * kThread);
static_assert(TILE % kThread == 0, "threads share a tile evenly");

// The seven sums' coefficients of the quarters 11, 12, 21, 22.
__constant__ signed char kLeft[7][4] = {{1, 0, 0, 1}, {0, 0, 1, 1},  {1, 0, 0, 0}, {0, 0, 0, 1},
                                        {1, 1, 0, 0}, {-1, 0, 1, 0}, {0, 1, 0, -1}};
__constant__ signed char kRight[7][4] = {{1, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, -1}, {-1, 0, 1, 0},
                                         {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};

// sums: [7][ceil(rows / 2)][ceil(columns / 2)] from the quarters of matrix: [rows][columns]. One
// thread an element of a quarter makes all seven, so that each quarter is read once.
__device__ void split(const float* matrix, float* sums, int rows, int columns,
                      const signed char (*coefficient)[4]) {
  const int half_rows = (rows + 1) / 2, half_columns = (columns + 1) / 2;
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= half_columns) return;
  float quarter[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int from_row = row + i / 2 * half_rows, from_column = column + i % 2 * half_columns;
    const bool inside = from_row < rows && from_column < columns;
    quarter[i] = inside ? matrix[from_row * columns + from_column] : 0;
  }
#pragma unroll
  for (int product = 0; product < 7; ++product) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      // A quarter that is not in the sum must not touch it, be it infinite or NaN.
      if (coefficient[product][i] != 0) sum += coefficient[product][i] * quarter[i];
    }
    sums[(product * half_rows + row) * half_columns + column] = sum;
  }
}

__global__ void split_left(const float* a, float* left, int m, int k) {
  split(a, left, m, k, kLeft);
}
__global__ void split_right(const float* b, float* right, int k, int n) {
  split(b, right, k, n, kRight);
}

// products[z] = left[z] right[z], all of half the size: rung 5's register tile, a product a layer
// of the grid.
__global__ void __launch_bounds__(kThreads)
    multiply(const float* left, const float* right, float* products, int m, int n, int k) {
  __shared__ float tile_a[TILE_K][TILE + 1], tile_b[TILE_K][TILE];
  const float *a = left + blockIdx.z * m * k, *b = right + blockIdx.z * k * n;
  float* c = products + blockIdx.z * m * n;
  const int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
  const int thread_row = threadIdx.x / (TILE / kThread),
            thread_column = threadIdx.x % (TILE / kThread);

  float sum[kThread][kThread] = {};
  for (int tile_k = 0; tile_k < k; tile_k += TILE_K) {
    for (int i = threadIdx.x; i < TILE * TILE_K; i += kThreads) {
      const int row = first_row + i / TILE_K, depth = tile_k + i % TILE_K;
      tile_a[i % TILE_K][i / TILE_K] = row < m && depth < k ? a[row * k + depth] : 0;
    }
    for (int i = threadIdx.x; i < TILE_K * TILE; i += kThreads) {
      const int depth = tile_k + i / TILE, column = first_column + i % TILE;
      tile_b[i / TILE][i % TILE] = depth < k && column < n ? b[depth * n + column] : 0;
    }
    __syncthreads();  // the tiles are whole before anyone reads them
    for (int depth = 0; depth < TILE_K; ++depth) {
#pragma unroll
      for (int i = 0; i < kThread; ++i) {
        const float of_a = tile_a[depth][thread_row + i * (TILE / kThread)];
#pragma unroll
        for (int j = 0; j < kThread; ++j)
          sum[i][j] += of_a * tile_b[depth][thread_column + j * (TILE / kThread)];
      }
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }
#pragma unroll
  for (int i = 0; i < kThread; ++i) {
#pragma unroll
    for (int j = 0; j < kThread; ++j) {
      const int row = first_row + thread_row + i * (TILE / kThread);
      const int column = first_column + thread_column + j * (TILE / kThread);
      if (row < m && column < n) c[row * n + column] = sum[i][j];
    }
  }
}

// One thread an element of the products makes the four elements of C that they give.
__global__ void combine(const float* products, float* c, int m, int n) {
  const int half_rows = (m + 1) / 2, half_columns = (n + 1) / 2;
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= half_columns) return;
  float p[7];
#pragma unroll
  for (int i = 0; i < 7; ++i) p[i] = products[(i * half_rows + row) * half_columns + column];
  const float quarter[4] = {p[0] + p[3] - p[4] + p[6], p[2] + p[4], p[1] + p[3],
                            p[0] - p[1] + p[2] + p[5]};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int to_row = row + i / 2 * half_rows, to_column = column + i % 2 * half_columns;
    if (to_row < m && to_column < n) c[to_row * n + to_column] = quarter[i];
  }
}
