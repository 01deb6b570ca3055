// The first array is made by a kernel, so that nothing is copied in, and one allocation holds both buffers.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

__global__ void start(int* x, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) x[i] = i * 7919 % 1000;
}

__global__ void smooth(const int* x, int* y, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = (i == 0 || i + 1 == n) ? x[i] : (x[i - 1] + 2 * x[i] + x[i + 1]) / 4;
}

int main(int argc, char** argv) {
  const int n = atoi(argv[1]), k = atoi(argv[2]), blocks = (n + 63) / 64;
  int* memory = NULL;
  int* result = (int*)malloc(n * sizeof(int));
  cudaError_t error = cudaMalloc(&memory, 2 * n * sizeof(int));
  if (error == cudaSuccess) {
    int *x = memory, *y = memory + n, *other;
    start<<<blocks, 64>>>(x, n);
    for (int step = 0; step < k; ++step) {
      smooth<<<blocks, 64>>>(x, y, n);
      other = x;
      x = y;
      y = other;
    }
    error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
      error = cudaMemcpy(result, x, n * sizeof(int), cudaMemcpyDeviceToHost);
  }
  if (error != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaFree(memory);
  for (int i = 0; i < n; ++i) printf("%d\n", result[i]);
  free(result);
  return 0;
}
