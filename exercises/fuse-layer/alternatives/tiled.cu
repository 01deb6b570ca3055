// fuse-layer ROWS WIDTH LAYERS: sends ROWS samples through LAYERS layers of WIDTH units each, and prints the results.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

/// Ends the program with CUDA's own words where a call has failed.
static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// A whole layer: y = max(x w + b, 0).
/// x, y: [rows][width], w: [width][width], b: [width]
constexpr int kTile = 16;

__global__ void layer(const int* x, const int* w, const int* b, int* y, int rows, int width) {
  __shared__ int of_x[kTile][kTile], of_w[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  int sum = 0;
  for (int first = 0; first < width; first += kTile) {
    int k = first + threadIdx.x, j = first + threadIdx.y;
    of_x[threadIdx.y][threadIdx.x] = row < rows && k < width ? x[row * width + k] : 0;
    of_w[threadIdx.y][threadIdx.x] = j < width && column < width ? w[j * width + column] : 0;
    __syncthreads();
    for (int t = 0; t < kTile; ++t) sum += of_x[threadIdx.y][t] * of_w[t][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < width) y[row * width + column] = max(sum + b[column], 0);
}

/// Whole numbers from -most to most, always the same ones.
static std::vector<int> drawn(int count, unsigned salt, int most) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) {
    unsigned mixed = (i + 1) * 2654435761u ^ salt * 40503u;
    mixed = (mixed ^ mixed >> 15) * 2246822519u;
    values[i] = static_cast<int>((mixed >> 16) % (2 * most + 1)) - most;
  }
  return values;
}

/// Memory of the GPU that holds the values.
static int* copied(const std::vector<int>& values) {
  int* memory;
  size_t bytes = values.size() * sizeof(int);
  check(cudaMalloc(&memory, bytes), "memory");
  check(cudaMemcpy(memory, values.data(), bytes, cudaMemcpyHostToDevice), "copy to the GPU");
  return memory;
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 1;
  int width = argc > 2 ? std::atoi(argv[2]) : 1;
  int layers = argc > 3 ? std::atoi(argv[3]) : 1;
  int n = rows * width;
  std::vector<int> results(n);
  int* x = copied(drawn(n, 1, 4));
  int* w = copied(drawn(layers * width * width, 2, 2));
  int* b = copied(drawn(layers * width, 3, 8));
  int* y;
  check(cudaMalloc(&y, n * sizeof(int)), "memory");

  for (int l = 0; l < layers; ++l) {
    dim3 grid((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile), threads(kTile, kTile);
    layer<<<grid, threads>>>(x, w + l * width * width, b + l * width, y, rows, width);
    check(cudaGetLastError(), "launch");
    std::swap(x, y);  // what this layer wrote, the next one reads
  }
  check(cudaMemcpy(results.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost), "copy back");
  for (int* memory : {x, w, b, y}) check(cudaFree(memory), "free");

  for (int result : results) std::printf("%d\n", result);
}
