// reuse-allocation N K: corrects K tables of up to N readings on the GPU, and prints a checksum of each.
#include <algorithm>
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
  // Large enough for every table.
  int *table_memory, *d_t;
  check(cudaHostAlloc(&table_memory, n * sizeof(int), cudaHostAllocMapped), "memory");
  check(cudaHostGetDevicePointer(&d_t, table_memory, 0), "address");
  for (int table = 0; table < tables; ++table) {
    int size = size_of(n, table);
    std::vector<int> t(size);
    for (int i = 0; i < size; ++i) t[i] = (i * 7919 + table) % 1000;

    std::copy(t.begin(), t.end(), table_memory);
    plus<<<(size + block - 1) / block, block>>>(d_t, 5, size);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "wait");
    std::copy(table_memory, table_memory + size, t.begin());

    std::printf("%lld\n", checksum(t));
  }
  check(cudaFreeHost(table_memory), "free");
}
