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

/// Copies each of n readings.
__global__ void copy(const int* t, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = t[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1;
  int tables = argc > 2 ? std::atoi(argv[2]) : 0;
  int block = 256;
  // Large enough for every table.
  int *d_t, *d_out;
  check(cudaMalloc(&d_t, n * sizeof(int)), "memory");
  check(cudaMalloc(&d_out, n * sizeof(int)), "memory");
  for (int table = 0; table < tables; ++table) {
    int size = size_of(n, table);
    size_t bytes = size * sizeof(int);
    std::vector<int> t(size);
    for (int i = 0; i < size; ++i) t[i] = (i * 7919 + table) % 1000;

    check(cudaMemcpy(d_t, t.data(), bytes, cudaMemcpyHostToDevice), "copy to the GPU");
    copy<<<(size + block - 1) / block, block>>>(d_t, d_out, size);
    check(cudaGetLastError(), "launch");
    check(cudaMemcpy(t.data(), d_out, bytes, cudaMemcpyDeviceToHost), "copy back");
    for (int& reading : t) reading += 5;

    std::printf("%lld\n", checksum(t));
  }
  check(cudaFree(d_t), "free");
  check(cudaFree(d_out), "free");
}
