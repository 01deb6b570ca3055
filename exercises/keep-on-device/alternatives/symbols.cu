// Two arrays of the module, for the most elements that the task allows. The host copies to and from them by name.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

constexpr int kMost = 2000;
__device__ int field[2][kMost];
__constant__ int size;

__global__ void step(int now) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int* x = field[now];
  int left = i > 0 ? x[i - 1] : x[i], right = i + 1 < size ? x[i + 1] : x[i];
  bool inside = i > 0 && i + 1 < size;
  field[1 - now][i] = inside ? (left + 2 * x[i] + right) / 4 : x[i];
}

static int failed(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

int main(int, char** argv) {
  int n = std::atoi(argv[1]), k = std::atoi(argv[2]);
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i * 7919 % 1000;
  const size_t bytes = n * sizeof(int);
  if (failed(cudaMemcpyToSymbol(size, &n, sizeof n))) return 1;
  if (failed(cudaMemcpyToSymbol(field, x.data(), bytes))) return 1;
  for (int i = 0; i < k; ++i) step<<<(n + 255) / 256, 256>>>(i % 2);
  if (failed(cudaGetLastError())) return 1;
  const size_t offset = k % 2 * kMost * sizeof(int);
  if (failed(cudaMemcpyFromSymbol(x.data(), field, bytes, offset))) return 1;
  for (int i = 0; i < n; ++i) std::printf("%d\n", x[i]);
}
