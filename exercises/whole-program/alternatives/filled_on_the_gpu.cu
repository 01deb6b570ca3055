// The kernel computes the two addends as well, so that nothing has to be copied to the GPU.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

__device__ int first(int i) { return 3 * i + 1; }
__device__ int second(int i) { return i * i % 1000; }

__global__ void sums(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = first(i) + second(i);
}

int main(int argc, char** argv) {
  const int n = std::atoi(argv[1]);
  std::vector<int> out(n);
  int* memory = nullptr;
  cudaError_t error = cudaMalloc(&memory, sizeof(int) * n);
  if (error == cudaSuccess && n != 0) {
    sums<<<(n + 191) / 192, 192>>>(memory, n);
    error = cudaGetLastError();
    if (error == cudaSuccess)
      error = cudaMemcpy(out.data(), memory, sizeof(int) * n, cudaMemcpyDeviceToHost);
  }
  if (error == cudaSuccess) error = cudaFree(memory);
  if (error != cudaSuccess) {
    std::fprintf(stderr, "whole-program: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int sum : out) std::printf("%d\n", sum);
  return 0;
}
