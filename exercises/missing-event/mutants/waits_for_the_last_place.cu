// missing-event N C: sends N numbers through the GPU in C chunks, and prints what comes back.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

/// Ends the program with CUDA's own words where a call has failed.
static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// Takes each number ten steps further in a sequence of pseudo-random numbers.
__global__ void advance(int n, const int* x, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int value = x[i];
  for (int step = 0; step < 10; ++step) value = (value * 75 + 74) % 65537;
  out[i] = value;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1;
  int chunks = argc > 2 ? std::atoi(argv[2]) : 1;
  int chunk = (n + chunks - 1) / chunks;  // the last one may be smaller, or empty
  size_t bytes = n * sizeof(int), place = chunk * sizeof(int);
  int *x, *out;
  check(cudaMallocHost(&x, bytes), "pinned memory for x");
  check(cudaMallocHost(&out, bytes), "pinned memory for out");
  for (int i = 0; i < n; ++i) x[i] = i * 7919 % 65537;

  // Two places for each array on the GPU, each with a stream of its own.
  int *d_x[2], *d_out[2];
  cudaStream_t streams[2];
  for (int p = 0; p < 2; ++p) {
    check(cudaMalloc(&d_x[p], place), "memory for x");
    check(cudaMalloc(&d_out[p], place), "memory for out");
    check(cudaStreamCreate(&streams[p]), "stream");
  }
  int last = 0;
  for (int begin = 0, k = 0; begin < n; begin += chunk, ++k) {
    int count = n - begin < chunk ? n - begin : chunk;
    last = k % 2;
    check(cudaMemcpyAsync(d_x[last], x + begin, count * sizeof(int), cudaMemcpyHostToDevice,
                          streams[last]),
          "copy in");
    advance<<<(count + 255) / 256, 256, 0, streams[last]>>>(count, d_x[last], d_out[last]);
    check(cudaGetLastError(), "launch");
    check(cudaMemcpyAsync(out + begin, d_out[last], count * sizeof(int), cudaMemcpyDeviceToHost,
                          streams[last]),
          "copy back");
  }
  check(cudaStreamSynchronize(streams[last]), "the pipeline");
  for (int i = 0; i < n; ++i) std::printf("%d\n", out[i]);

  for (int p = 0; p < 2; ++p) {
    check(cudaStreamDestroy(streams[p]), "stream");
    check(cudaFree(d_x[p]), "free");
    check(cudaFree(d_out[p]), "free");
  }
  check(cudaFreeHost(x), "free");
  check(cudaFreeHost(out), "free");
}
