// whole-program N: adds two arrays of N elements on the GPU and prints the sums.
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

__global__ void add(int n, const int* a, const int* b, int* c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 0;
  std::vector<int> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 3 * i + 1;
    b[i] = i * i % 1000;
  }

  size_t bytes = n * sizeof(int);
  int *d_a, *d_b, *d_c;
  check(cudaMalloc(&d_a, bytes), "memory for a");
  check(cudaMalloc(&d_b, bytes), "memory for b");
  check(cudaMalloc(&d_c, bytes), "memory for c");
  check(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice), "copy of a");
  check(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice), "copy of b");

  // CUDA refuses a launch of 0 blocks.
  if (n > 0) {
    int block = 256;
    add<<<(n + block - 1) / block, block>>>(n, d_a, d_b, d_c);
    check(cudaGetLastError(), "launch");
  }

  // This copy waits for the kernel, and also reports what went wrong in it.
  check(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost), "copy of c");
  for (int i = 0; i < n; ++i) std::printf("%d\n", c[i]);

  check(cudaFree(d_a), "free");
  check(cudaFree(d_b), "free");
  check(cudaFree(d_c), "free");
}
