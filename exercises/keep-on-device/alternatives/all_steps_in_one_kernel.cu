// One block does all steps in shared memory, with a barrier after each. Its threads take turns where there are more elements.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

constexpr int kMost = 2000;  // elements

__global__ void smooth_all(int n, int steps, int* x) {
  __shared__ int rows[2][kMost];
  for (int i = threadIdx.x; i < n; i += blockDim.x) rows[0][i] = x[i];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const int* from = rows[step % 2];
    int* to = rows[(step + 1) % 2];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      to[i] = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = rows[steps % 2][i];
}

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::puts(cudaGetErrorString(error));
    std::exit(1);
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1, steps = argc > 2 ? std::atoi(argv[2]) : 0;
  if (n > kMost) return 1;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i * 7919 % 1000;
  int* memory;
  check(cudaMalloc(&memory, n * sizeof(int)));
  check(cudaMemcpy(memory, x.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  smooth_all<<<1, 512>>>(n, steps, memory);
  check(cudaGetLastError());
  check(cudaMemcpy(x.data(), memory, n * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaFree(memory));
  for (int value : x) std::printf("%d\n", value);
}
