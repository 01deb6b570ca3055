// pipeline N C: sends N numbers through the GPU in C chunks, and prints what comes back.
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
  size_t bytes = n * sizeof(int);
  int *x, *out;  // pinned, so that copies can run beside kernels
  check(cudaMallocHost(&x, bytes), "pinned memory for x");
  check(cudaMallocHost(&out, bytes), "pinned memory for out");
  for (int i = 0; i < n; ++i) x[i] = i * 7919 % 65537;

  // One chunk arrives, one is computed, one goes back.
  const int kStreams = 3;
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) check(cudaStreamCreate(&stream), "stream");
  int *d_x, *d_out;
  check(cudaMalloc(&d_x, bytes), "memory for x");
  check(cudaMalloc(&d_out, bytes), "memory for out");
  for (int begin = 0, k = 0; begin < n; begin += chunk, ++k) {
    int count = n - begin < chunk ? n - begin : chunk;
    cudaStream_t own = streams[k % kStreams];
    check(cudaMemcpyAsync(d_x + begin, x + begin, count * sizeof(int), cudaMemcpyHostToDevice, own),
          "copy in");
    advance<<<(count + 255) / 256, 256, 0, own>>>(count, d_x + begin, d_out + begin);
    check(cudaGetLastError(), "launch");
    check(cudaMemcpyAsync(out + begin, d_out + begin, count * sizeof(int), cudaMemcpyDeviceToHost,
                          own),
          "copy back");
  }
  int last = (n + chunk - 1) / chunk - 1;
  check(cudaStreamSynchronize(streams[last % kStreams]), "the pipeline");
  for (int i = 0; i < n; ++i) std::printf("%d\n", out[i]);

  for (cudaStream_t stream : streams) check(cudaStreamDestroy(stream), "stream");
  check(cudaFree(d_x), "free");
  check(cudaFree(d_out), "free");
  check(cudaFreeHost(x), "free");
  check(cudaFreeHost(out), "free");
}
