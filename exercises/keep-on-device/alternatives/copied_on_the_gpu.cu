// The second array is copied over the first after each step. The copy stays on the GPU.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

__global__ void smooth(int n, const int* x, int* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = i % (n - 1) == 0 ? x[i] : (x[i - 1] + 2 * x[i] + x[i + 1]) / 4;
}

int main(int argc, char** argv) {
  int n = atoi(argv[1]), k = atoi(argv[2]);
  std::vector<int> x;
  for (int i = 0; i < n; ++i) x.push_back(i * 7919 % 1000);
  int *a = nullptr, *b = nullptr;
  CHECK(cudaMalloc((void**)&a, n * sizeof(int)));
  CHECK(cudaMalloc((void**)&b, n * sizeof(int)));
  CHECK(cudaMemcpy(a, &x[0], n * sizeof(int), cudaMemcpyHostToDevice));
  while (n > 1 && k-- > 0) {
    smooth<<<3, 64>>>(n, a, b);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(a, b, n * sizeof(int), cudaMemcpyDeviceToDevice));
  }
  CHECK(cudaMemcpy(&x[0], a, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  for (int value : x) printf("%d\n", value);
}
