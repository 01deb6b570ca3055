// A kernel uses memory of a pool after the stream has freed it: the run goes on, and the report names the line.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void increment(int* x) { x[threadIdx.x] += 1; }

int main() {
  int* x = nullptr;
  cudaMallocAsync(&x, 32 * sizeof(int), nullptr);
  cudaMemsetAsync(x, 0, 32 * sizeof(int), nullptr);
  cudaFreeAsync(x, nullptr);
  increment<<<1, 32>>>(x);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
