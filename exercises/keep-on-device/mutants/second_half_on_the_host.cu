#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

__global__ void smooth(int n, const int* x, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool end = i == 0 || i == n - 1;
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
  for (int step = 0; step < steps / 2; ++step) {
    smooth<<<(n + block - 1) / block, block>>>(n, d_x, d_out);
    check(cudaGetLastError(), "launch");
    int* t = d_x;
    d_x = d_out;
    d_out = t;
  }
  check(cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost), "copy back");
  for (int step = steps / 2; step < steps; ++step) {
    std::vector<int> y(x);
    for (int i = 1; i < n - 1; ++i) x[i] = (y[i - 1] + 2 * y[i] + y[i + 1]) / 4;
  }
  check(cudaFree(d_x), "free");
  check(cudaFree(d_out), "free");

  for (int i = 0; i < n; ++i) std::printf("%d\n", x[i]);
}
