#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

__global__ void smooth(int n, int steps, int* x) {
  __shared__ int a[2][2000];
  for (int i = threadIdx.x; i < n; i += blockDim.x) a[0][i] = x[i];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const int* from = a[s % 2];
    int* to = a[(s + 1) % 2];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      to[i] = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = a[steps % 2][i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1;
  int steps = argc > 2 ? std::atoi(argv[2]) : 0;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i * 7919 % 1000;

  size_t bytes = n * sizeof(int);
  int block = 256;
  int* d_x;
  check(cudaMalloc(&d_x, bytes), "memory for x");
  check(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice), "copy to the GPU");
  smooth<<<1, block>>>(n, steps, d_x);
  check(cudaGetLastError(), "launch");
  check(cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost), "copy back");
  check(cudaFree(d_x), "free");

  for (int i = 0; i < n; ++i) std::printf("%d\n", x[i]);
}
