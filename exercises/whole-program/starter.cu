// whole-program N: adds two arrays of N elements on the GPU and prints the sums.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

int main(int argc, char** argv) {
  // 1. n is the number that argv[1] holds.
  // 2. On the host, fill two arrays: a[i] = 3 * i + 1 and b[i] = i * i % 1000.
  // 3. Allocate memory on the GPU, and copy a and b there.
  // 4. Launch a kernel of your own, with a thread for each element: c[i] = a[i] + b[i].
  // 5. Copy c back, print its elements, one a line, and free the memory.
  // Check what each CUDA call returns, and after the launch what cudaGetLastError() returns.
}
