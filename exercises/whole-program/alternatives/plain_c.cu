/* As one would write it in C: a macro for the errors, malloc, and everything in main. */
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                 \
  do {                                                                                   \
    cudaError_t err_ = (call);                                                           \
    if (err_ != cudaSuccess) {                                                           \
      fprintf(stderr, "CUDA error at %s:%d: %s\n", __FILE__, __LINE__,                   \
              cudaGetErrorString(err_));                                                 \
      exit(EXIT_FAILURE);                                                                \
    }                                                                                    \
  } while (0)

__global__ void vec_add(const int *a, const int *b, int *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

int main(int argc, char **argv) {
  int n, i;
  int *h_a, *h_b, *h_c, *d_a, *d_b, *d_c;
  size_t size;
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  n = atoi(argv[1]);
  if (n <= 0) return 0;
  size = n * sizeof(int);
  h_a = (int *)malloc(size);
  h_b = (int *)malloc(size);
  h_c = (int *)malloc(size);
  for (i = 0; i < n; i++) {
    h_a[i] = 3 * i + 1;
    h_b[i] = (i * i) % 1000;
  }
  CUDA_CHECK(cudaMalloc((void **)&d_a, size));
  CUDA_CHECK(cudaMalloc((void **)&d_b, size));
  CUDA_CHECK(cudaMalloc((void **)&d_c, size));
  CUDA_CHECK(cudaMemcpy(d_a, h_a, size, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, size, cudaMemcpyHostToDevice));
  vec_add<<<(n + 1023) / 1024, 1024>>>(d_a, d_b, d_c, n);
  CUDA_CHECK(cudaPeekAtLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(h_c, d_c, size, cudaMemcpyDeviceToHost));
  for (i = 0; i < n; i++) printf("%d\n", h_c[i]);
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  free(h_a);
  free(h_b);
  free(h_c);
  CUDA_CHECK(cudaDeviceReset());
  return 0;
}
