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
  for (int i = threadIdx.x; i < n; i += 19) t[i] = (t[i] - 0.5f) * 10;
}

int main(int, char** argv) {
  int n = std::atoi(argv[1]);
  std::vector<float> t(n);
  for (int i = 0; i < n; ++i) t[i] = i * 3 % 70 - 20;

  float* d_t;
  CHECK(cudaMalloc(&d_t, n * sizeof(float)));
  CHECK(cudaMemcpy(d_t, t.data(), n * sizeof(float), cudaMemcpyDefault));
  correct<<<1, 19>>>(d_t, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(t.data(), d_t, n * sizeof(float), cudaMemcpyDefault));

  for (int i = 0; i < n; ++i) std::printf("%g\n", t[i]);
  CHECK(cudaFree(d_t));
}
