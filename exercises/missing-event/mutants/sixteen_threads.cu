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

__global__ void advance(int n, const int* x, int* out) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int value = x[i];
    for (int step = 0; step < 10; ++step) value = (value * 75 + 74) % 65537;
    out[i] = value;
  }
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

  // Two places for each array on the GPU: even chunks use the first, odd ones the second.
  int *d_x[2], *d_out[2];
  cudaEvent_t arrived[2], computed[2], gone[2];
  for (int p = 0; p < 2; ++p) {
    check(cudaMalloc(&d_x[p], place), "memory for x");
    check(cudaMalloc(&d_out[p], place), "memory for out");
    check(cudaEventCreate(&arrived[p]), "event");
    check(cudaEventCreate(&computed[p]), "event");
    check(cudaEventCreate(&gone[p]), "event");
  }
  // A stream for each kind of work.
  cudaStream_t in, work, back;
  check(cudaStreamCreate(&in), "stream");
  check(cudaStreamCreate(&work), "stream");
  check(cudaStreamCreate(&back), "stream");
  for (int begin = 0, k = 0; begin < n; begin += chunk, ++k) {
    int count = n - begin < chunk ? n - begin : chunk;
    int p = k % 2;
    // The chunk before the last one has to be out of this place; before the first two, nothing is recorded.
    check(cudaStreamWaitEvent(in, computed[p]), "the place of x");
    check(cudaMemcpyAsync(d_x[p], x + begin, count * sizeof(int), cudaMemcpyHostToDevice, in),
          "copy in");
    check(cudaEventRecord(arrived[p], in), "event");
    check(cudaStreamWaitEvent(work, arrived[p]), "wait");
    check(cudaStreamWaitEvent(work, gone[p]), "the place of out");
    advance<<<1, 16, 0, work>>>(count, d_x[p], d_out[p]);
    check(cudaGetLastError(), "launch");
    check(cudaEventRecord(computed[p], work), "event");
    check(cudaStreamWaitEvent(back, computed[p]), "wait");
    check(cudaMemcpyAsync(out + begin, d_out[p], count * sizeof(int), cudaMemcpyDeviceToHost, back),
          "copy back");
    check(cudaEventRecord(gone[p], back), "event");
  }
  check(cudaDeviceSynchronize(), "the pipeline");
  for (int p = 0; p < 2; ++p) {
    check(cudaEventDestroy(arrived[p]), "event");
    check(cudaEventDestroy(computed[p]), "event");
    check(cudaEventDestroy(gone[p]), "event");
    check(cudaFree(d_x[p]), "free");
    check(cudaFree(d_out[p]), "free");
  }
  check(cudaStreamDestroy(in), "stream");
  check(cudaStreamDestroy(work), "stream");
  check(cudaStreamDestroy(back), "stream");

  for (int i = 0; i < n; ++i) std::printf("%d\n", out[i]);
  check(cudaFreeHost(x), "free");
  check(cudaFreeHost(out), "free");
}
