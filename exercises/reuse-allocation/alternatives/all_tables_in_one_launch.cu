// reuse-allocation N K: corrects K tables of up to N readings on the GPU, and prints a checksum of each.
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

/// How many readings a table has: 1 to n.
static int size_of(int n, int table) { return 1 + (n / 2 + 37 * table) % n; }

/// Depends on every reading and on its place.
static long long checksum(const std::vector<int>& t) {
  long long sum = 0;
  for (int value : t) sum = (sum * 31 + value) % 1000003;
  return sum;
}

/// Adds `degrees` to each of n readings, in place.
__global__ void plus(int* t, int degrees, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] += degrees;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1;
  int tables = argc > 2 ? std::atoi(argv[2]) : 0;
  int block = 256;
  // One table behind the other, in one piece of memory.
  std::vector<int> all;
  for (int table = 0; table < tables; ++table) {
    for (int i = 0; i < size_of(n, table); ++i) all.push_back((i * 7919 + table) % 1000);
  }
  if (all.empty()) return 0;
  int count = static_cast<int>(all.size());
  size_t bytes = all.size() * sizeof(int);
  int* d_all;
  check(cudaMalloc(&d_all, bytes), "memory");
  check(cudaMemcpy(d_all, all.data(), bytes, cudaMemcpyHostToDevice), "copy to the GPU");
  plus<<<(count + block - 1) / block, block>>>(d_all, 5, count);
  check(cudaGetLastError(), "launch");
  check(cudaMemcpy(all.data(), d_all, bytes, cudaMemcpyDeviceToHost), "copy back");
  check(cudaFree(d_all), "free");
  auto begin = all.begin();
  for (int table = 0; table < tables; ++table) {
    auto end = begin + size_of(n, table);
    std::printf("%lld\n", checksum({begin, end}));
    begin = end;
  }
}
