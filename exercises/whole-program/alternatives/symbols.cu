// Arrays of a fixed size in the module, as large as the task allows; nothing is allocated.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

constexpr int kMost = 10000;
__device__ int a[kMost], b[kMost], c[kMost];

__global__ void add_arrays(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static bool failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 0;
  if (n < 1) return 0;
  std::vector<int> x(n), y(n), z(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 3 * i + 1;
    y[i] = i * i % 1000;
  }
  if (failed(cudaMemcpyToSymbol(a, x.data(), n * sizeof(int)))) return 1;
  if (failed(cudaMemcpyToSymbol(b, y.data(), n * sizeof(int)))) return 1;
  add_arrays<<<(n + 31) / 32, 32>>>(n);
  if (failed(cudaGetLastError())) return 1;
  if (failed(cudaMemcpyFromSymbol(z.data(), c, n * sizeof(int)))) return 1;
  for (int i = 0; i < n; ++i) std::printf("%d\n", z[i]);
}
