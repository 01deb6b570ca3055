// mend-leak DAYS N: counts the clouds in a picture of N pixels, day after day, and the edges in pictures with clouds.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    cudaError_t error = (call);                                                           \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(EXIT_FAILURE);                                                            \
    }                                                                                     \
  } while (0)

// A cloud is a pixel above 200.
__global__ void clouds(const int* picture, int n, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && picture[i] > 200) atomicAdd(count, 1);
}

// An edge is a pixel that is darker than the one before it.
__global__ void edges(const int* picture, int n, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n && picture[i] < picture[i - 1]) atomicAdd(count, 1);
}

// Waits for the kernels, and fetches what they counted.
static int fetched(const int* d_count) {
  int count = 0;
  CHECK(cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDefault));
  return count;
}

struct Buffer {
  int* p = nullptr;
  explicit Buffer(size_t n) { CHECK(cudaMalloc(&p, n * sizeof(int))); }
  ~Buffer() { cudaFree(p); }
};

int main(int, char** argv) {
  int days = std::atoi(argv[1]);
  int n = std::atoi(argv[2]);
  std::vector<int> picture(n);
  Buffer pic(n), counts(2);
  Buffer pictures[] = {pic, counts};
  for (int day = 0; day < days; ++day) {
    for (int i = 0; i < n; ++i) picture[i] = day % 3 == 1 ? i % 100 : (i * 7 + day * 13) % 256;
    CHECK(cudaMemcpy(pictures[0].p, picture.data(), n * sizeof(int), cudaMemcpyDefault));
    CHECK(cudaMemset(pictures[1].p, 0, 2 * sizeof(int)));
    clouds<<<(n + 255) / 256, 256>>>(pictures[0].p, n, pictures[1].p);
    CHECK(cudaGetLastError());
    int count = fetched(pictures[1].p);
    if (count == 0) {
      std::printf("day %d: no clouds\n", day);
      continue;
    }
    edges<<<(n + 255) / 256, 256>>>(pictures[0].p, n, pictures[1].p + 1);
    CHECK(cudaGetLastError());
    std::printf("day %d: %d %d\n", day, count, fetched(pictures[1].p + 1));
  }
}
