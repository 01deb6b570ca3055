// mend-launch N: corrects N readings of a thermometer that is too warm by half a degree, and prints tenths of a degree.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    cudaError_t error = (call);                                                           \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(EXIT_FAILURE);                                                            \
    }                                                                                     \
  } while (0)

__global__ void correct(float* t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = t[i] * 10;
}

int main(int, char** argv) {
  int n = std::atoi(argv[1]);
  std::vector<float> t(n);
  for (int i = 0; i < n; ++i) t[i] = i * 3 % 70 - 20.5f;

  float* d_t;
  CHECK(cudaMalloc(&d_t, n * sizeof(float)));
  CHECK(cudaMemcpy(d_t, t.data(), n * sizeof(float), cudaMemcpyDefault));
  if (n > 0) correct<<<(n + 255) / 256, 256>>>(d_t, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(t.data(), d_t, n * sizeof(float), cudaMemcpyDefault));

  for (int i = 0; i < n; ++i) std::printf("%g\n", t[i]);
  CHECK(cudaFree(d_t));
}
