// Adds two arrays on the GPU.
// nvcc -o vector_add vector_add.cu && ./vector_add
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

__global__ void add(const int* x, const int* y,
                    int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = x[i] + y[i];
  }
}

int main() {
  const int n = 4;
  const size_t bytes = n * sizeof(int);
  int x[n] = {1, 2, 3, 4};  // the CPU's memory
  int y[n] = {5, 6, 7, 8};
  int out[n];

  int *d_x, *d_y, *d_out;   // will point to the GPU
  CHECK(cudaMalloc(&d_x, bytes));
  CHECK(cudaMalloc(&d_y, bytes));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMemcpy(d_x, x, bytes,
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_y, y, bytes,
                   cudaMemcpyHostToDevice));

  const int block = 256;
  const int blocks = (n + block - 1) / block;
  add<<<blocks, block>>>(d_x, d_y, d_out, n);
  CHECK(cudaGetLastError());       // accepted?
  CHECK(cudaDeviceSynchronize());  // wait: errors?

  CHECK(cudaMemcpy(out, d_out, bytes,
                   cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    printf("%d ", out[i]);
  }
  printf("\n");

  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
  CHECK(cudaFree(d_out));
}
