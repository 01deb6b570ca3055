// Smart pointers with a deleter of CUDA's, and a grid of a fixed size whose threads take turns.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#include <cuda_runtime.h>

#define TRY(call)                                                     \
  if (cudaError_t status = (call); status != cudaSuccess) {           \
    std::puts(cudaGetErrorName(status));                              \
    std::exit(3);                                                     \
  }

struct Free {
  void operator()(int* pointer) const { cudaFree(pointer); }
};
using DeviceInts = std::unique_ptr<int, Free>;

DeviceInts device_ints(std::size_t count) {
  int* pointer = nullptr;
  TRY(cudaMalloc(reinterpret_cast<void**>(&pointer), count * sizeof(int)));
  return DeviceInts(pointer);
}

__global__ void add(const int* __restrict__ a, const int* __restrict__ b, int* __restrict__ c,
                    int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}

int main(int, char** argv) {
  const int n = std::atoi(argv[1]);
  std::vector<int> index(n), a(n), b(n), c(n, -1);
  std::iota(index.begin(), index.end(), 0);
  std::transform(index.begin(), index.end(), a.begin(), [](int i) { return 3 * i + 1; });
  std::transform(index.begin(), index.end(), b.begin(), [](int i) { return i * i % 1000; });
  const DeviceInts x = device_ints(n), y = device_ints(n), z = device_ints(n);
  TRY(cudaMemcpy(x.get(), a.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(y.get(), b.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  add<<<2, 96>>>(x.get(), y.get(), z.get(), n);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(c.data(), z.get(), n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int value : c) std::printf("%i\n", value);
}
