// Pinned memory and two streams, each with a half of the elements.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

static void ok(cudaError_t e) {
  if (e != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(e));
    _Exit(7);
  }
}

__global__ void add(int n, const int* a, const int* b, int* c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 0;
  int *h, *d;  // a, b and c one after the other
  ok(cudaMallocHost(&h, (3 * n + 1) * sizeof(int)));
  for (int i = 0; i < n; ++i) {
    h[i] = 3 * i + 1;
    h[n + i] = i * i % 1000;
  }
  ok(cudaMalloc(&d, (3 * n + 1) * sizeof(int)));
  cudaStream_t streams[2];
  for (cudaStream_t& s : streams) ok(cudaStreamCreate(&s));
  const int half = n / 2, begin[2] = {0, half}, count[2] = {half, n - half};
  for (int part = 0; part < 2; ++part) {
    if (count[part] == 0) continue;
    const int at = begin[part];
    const size_t bytes = count[part] * sizeof(int);
    for (int array = 0; array < 2; ++array)
      ok(cudaMemcpyAsync(d + array * n + at, h + array * n + at, bytes, cudaMemcpyHostToDevice,
                         streams[part]));
    add<<<(count[part] + 255) / 256, 256, 0, streams[part]>>>(count[part], d + at, d + n + at,
                                                              d + 2 * n + at);
    ok(cudaGetLastError());
    ok(cudaMemcpyAsync(h + 2 * n + at, d + 2 * n + at, bytes, cudaMemcpyDeviceToHost,
                       streams[part]));
  }
  for (cudaStream_t& s : streams) {
    ok(cudaStreamSynchronize(s));
    ok(cudaStreamDestroy(s));
  }
  for (int i = 0; i < n; ++i) printf("%d\n", h[2 * n + i]);
  ok(cudaFreeHost(h));
  ok(cudaFree(d));
}
