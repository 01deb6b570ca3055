// keep-on-device N K: smooths an array of N elements K times on the GPU, and prints it.
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

/// One step: each element becomes the mean of itself, twice, and its two neighbours. The ends stay as they are.
__global__ void smooth(int n, const int* x, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool end = i == 0;
  out[i] = end ? x[i] : (x[i - 1] + 2 * x[i] + x[i + 1]) / 4;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1;
  int steps = argc > 2 ? std::atoi(argv[2]) : 0;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i * 7919 % 1000;

  size_t bytes = n * sizeof(int);
  int block = 256;
  int *d_x, *d_out;
  check(cudaMalloc(&d_x, bytes), "memory for x");
  check(cudaMalloc(&d_out, bytes), "memory for out");
  check(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice), "copy to the GPU");
  for (int step = 0; step < steps; ++step) {
    smooth<<<(n + block - 1) / block, block>>>(n, d_x, d_out);
    check(cudaGetLastError(), "launch");
    // What this step wrote, the next one reads. Launches of one stream run in order, so nobody has to wait here.
    std::swap(d_x, d_out);
  }
  check(cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost), "copy back");
  check(cudaFree(d_x), "free");
  check(cudaFree(d_out), "free");

  for (int i = 0; i < n; ++i) std::printf("%d\n", x[i]);
}
