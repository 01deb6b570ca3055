// fuse-layer ROWS WIDTH LAYERS: sends ROWS samples through LAYERS layers of WIDTH units each, and prints the results.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

/// Ends the program with CUDA's own words where a call has failed.
static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// x, y: [rows][width], w: [width][width], b: [width]
constexpr int kMostUnits = 64;

/// A sample's way through all layers needs no other sample, so a block can take it. Between layers it stays in shared memory.
__global__ void network(const int* x, const int* w, const int* b, int* y, int width, int layers) {
  __shared__ int values[2][kMostUnits];
  int unit = threadIdx.x;
  if (unit < width) values[0][unit] = x[blockIdx.x * width + unit];
  __syncthreads();
  for (int l = 0; l < layers; ++l) {
    const int* own = values[l % 2];
    int sum = 0;
    for (int k = 0; unit < width && k < width; ++k) sum += own[k] * w[(l * width + k) * width + unit];
    if (unit < width) values[(l + 1) % 2][unit] = max(sum + b[l * width + unit], 0);
    __syncthreads();
  }
  if (unit < width) y[blockIdx.x * width + unit] = values[layers % 2][unit];
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

  network<<<rows, kMostUnits>>>(x, w, b, y, width, layers);
  check(cudaGetLastError(), "launch");
  check(cudaMemcpy(results.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost), "copy back");
  for (int* memory : {x, w, b, y}) check(cudaFree(memory), "free");

  for (int result : results) std::printf("%d\n", result);
}
