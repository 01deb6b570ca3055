// Corrects the tables of a weather station, one after the other, in
// memory of the GPU that is allocated once.
// nvcc -o station station.cu && ./station
#include <cstdio>
#include <cstdlib>

// Ends the program where a CUDA call fails.
#define CHECK(call)                           \
  do {                                        \
    cudaError_t error = (call);               \
    if (error != cudaSuccess) {               \
      fprintf(stderr, "line %d: %s\n",        \
              __LINE__,                       \
              cudaGetErrorString(error));     \
      exit(EXIT_FAILURE);                     \
    }                                         \
  } while (0)

__global__ void plus(float* t, float degrees, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    t[i] += degrees;
  }
}

int main() {
  const int n = 6, tables = 3, block = 256;
  const size_t bytes = n * sizeof(float);
  float *t, *d_t;
  CHECK(cudaMallocHost(&t, bytes));  // pinned, for fast copies
  CHECK(cudaMalloc(&d_t, bytes));    // once, for all tables

  int wrong = 0;
  for (int table = 0; table < tables; ++table) {
    for (int i = 0; i < n; ++i) {  // "arrives"
      t[i] = 10.0f * table + i;
    }
    CHECK(cudaMemcpy(d_t, t, bytes, cudaMemcpyHostToDevice));
    plus<<<(n + block - 1) / block, block>>>(d_t, 5.0f, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(t, d_t, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
      printf("%g ", t[i]);
      wrong += t[i] != 10.0f * table + i + 5.0f;
    }
    printf("\n");
  }

  CHECK(cudaFree(d_t));
  CHECK(cudaFreeHost(t));
  printf(wrong == 0 ? "PASS\n" : "FAIL: %d readings are wrong\n", wrong);
  return wrong != 0;
}
