// Twenty threads, no more, share each chunk: the last round of their loop is not full.
#include <cstdio>
#include <cstdlib>

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
  const int n = argc > 1 ? std::atoi(argv[1]) : 1, chunks = argc > 2 ? std::atoi(argv[2]) : 1;
  const int chunk = (n + chunks - 1) / chunks;
  int *x, *out, *d_x, *d_out;
  check(cudaMallocHost(&x, n * sizeof(int)), "x");
  check(cudaMallocHost(&out, n * sizeof(int)), "out");
  check(cudaMalloc(&d_x, n * sizeof(int)), "d_x");
  check(cudaMalloc(&d_out, n * sizeof(int)), "d_out");
  for (int i = 0; i < n; ++i) x[i] = i * 7919 % 65537;
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) check(cudaStreamCreate(&stream), "stream");
  for (int begin = 0, k = 0; begin < n; begin += chunk, ++k) {
    const int count = n - begin < chunk ? n - begin : chunk;
    const cudaStream_t stream = streams[k % 3];
    check(cudaMemcpyAsync(d_x + begin, x + begin, count * sizeof(int), cudaMemcpyHostToDevice, stream), "there");
    advance<<<1, 20, 0, stream>>>(count, d_x + begin, d_out + begin);
    check(cudaGetLastError(), "launch");
    check(cudaMemcpyAsync(out + begin, d_out + begin, count * sizeof(int), cudaMemcpyDeviceToHost, stream), "back");
  }
  check(cudaDeviceSynchronize(), "wait");
  for (int i = 0; i < n; ++i) std::printf("%d\n", out[i]);
  for (const cudaStream_t stream : streams) check(cudaStreamDestroy(stream), "stream");
  check(cudaFreeHost(x), "x");
  check(cudaFreeHost(out), "out");
  check(cudaFree(d_x), "d_x");
  check(cudaFree(d_out), "d_out");
}
