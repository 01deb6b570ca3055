// Smooths a photo and exchanges its rows and columns, both
// through tiles, and checks every pixel on the CPU.
// nvcc -o night_photo night_photo.cu && ./night_photo
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

constexpr int kRadius = 4;
constexpr int kSide = 2 * kRadius + 1;
constexpr int kWide = 32, kHigh = 8;  // a block's threads

__host__ __device__ int inside(int i, int n) {
  return i < 0 ? 0 : i < n ? i : n - 1;
}

// Each pixel becomes the mean of the window around it.
__global__ void smooth(const float* x, float* out,
                       int rows, int columns) {
  __shared__ float tile[kHigh + 2 * kRadius]
                       [kWide + 2 * kRadius];
  int top = blockIdx.y * kHigh - kRadius;
  int left = blockIdx.x * kWide - kRadius;
  for (int i = threadIdx.y; i < kHigh + 2 * kRadius;
       i += kHigh) {
    int row = inside(top + i, rows);
    for (int j = threadIdx.x; j < kWide + 2 * kRadius;
         j += kWide) {
      int column = inside(left + j, columns);
      tile[i][j] = x[row * columns + column];
    }
  }
  __syncthreads();  // the tile is full
  int row = blockIdx.y * kHigh + threadIdx.y;
  int column = blockIdx.x * kWide + threadIdx.x;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int u = 0; u < kSide; ++u)
    for (int v = 0; v < kSide; ++v)
      sum += tile[threadIdx.y + u][threadIdx.x + v];
  out[row * columns + column] = sum / (kSide * kSide);
}

// out[column][row] = x[row][column]
__global__ void transpose(const float* x, float* out,
                          int rows, int columns) {
  __shared__ float tile[32][33];  // a column in 32 banks
  int top = blockIdx.y * 32, left = blockIdx.x * 32;
  int column = left + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += kHigh) {
    int row = top + i;
    if (row < rows && column < columns)
      tile[i][threadIdx.x] = x[row * columns + column];
  }
  __syncthreads();
  int row = top + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += kHigh) {
    int to = left + j;
    if (row < rows && to < columns)
      out[to * rows + row] = tile[threadIdx.x][j];
  }
}

float mean(const std::vector<float>& x, int row,
           int column, int rows, int columns) {
  float sum = 0;
  for (int u = -kRadius; u <= kRadius; ++u)
    for (int v = -kRadius; v <= kRadius; ++v)
      sum += x[inside(row + u, rows) * columns +
               inside(column + v, columns)];
  return sum / (kSide * kSide);
}

int main() {
  const int rows = 150, columns = 230;
  const size_t bytes = sizeof(float) * rows * columns;
  std::vector<float> x(rows * columns), out(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i * 7919 % 256);  // noise

  float *d_x, *d_smooth, *d_turned;
  CHECK(cudaMalloc(&d_x, bytes));
  CHECK(cudaMalloc(&d_smooth, bytes));
  CHECK(cudaMalloc(&d_turned, bytes));
  CHECK(cudaMemcpy(d_x, x.data(), bytes,
                   cudaMemcpyHostToDevice));

  const dim3 block(kWide, kHigh);
  const int across = (columns + 31) / 32;
  smooth<<<dim3(across, (rows + kHigh - 1) / kHigh),
           block>>>(d_x, d_smooth, rows, columns);
  CHECK(cudaGetLastError());
  transpose<<<dim3(across, (rows + 31) / 32), block>>>(
      d_smooth, d_turned, rows, columns);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), d_turned, bytes,
                   cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      wrong += out[column * rows + row] !=
               mean(x, row, column, rows, columns);
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_smooth));
  CHECK(cudaFree(d_turned));
  if (wrong == 0)
    printf("PASS\n");
  else
    printf("FAIL: %d of %d pixels are wrong\n", wrong,
           rows * columns);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
