// Managed memory: host and GPU use the same pointers, and nothing is copied by hand.
#include <cstdlib>
#include <iostream>

#include <cuda_runtime.h>

namespace {

void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::cerr << "error: " << cudaGetErrorName(error) << '\n';
  std::exit(EXIT_FAILURE);
}

__global__ void sum(const int* left, const int* right, int* result, unsigned count) {
  const unsigned k = threadIdx.x + blockIdx.x * blockDim.x;
  if (k >= count) return;
  result[k] = left[k] + right[k];
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  const unsigned count = std::strtoul(argv[1], nullptr, 10);
  if (count == 0) return 0;  // managed memory of 0 bytes is an error
  int *left = nullptr, *right = nullptr, *result = nullptr;
  require(cudaMallocManaged(&left, count * sizeof *left));
  require(cudaMallocManaged(&right, count * sizeof *right));
  require(cudaMallocManaged(&result, count * sizeof *result));
  for (unsigned k = 0; k < count; ++k) {
    left[k] = static_cast<int>(3 * k + 1);
    right[k] = static_cast<int>(k * k % 1000);
  }
  sum<<<(count + 127) / 128, 128>>>(left, right, result, count);
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());
  for (unsigned k = 0; k < count; ++k) std::cout << result[k] << ' ';
  std::cout << std::endl;
  cudaFree(result);
  cudaFree(right);
  cudaFree(left);
  return 0;
}
