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

int main(int, char** argv) {
  int days = std::atoi(argv[1]);
  int n = std::atoi(argv[2]);
  std::vector<int> picture(n);
  for (int day = 0; day < days; ++day) {
    for (int i = 0; i < n; ++i) picture[i] = day % 3 == 1 ? i % 100 : (i * 7 + day * 13) % 256;

    int *d_picture, *d_clouds;
    CHECK(cudaMalloc(&d_picture, n * sizeof(int)));
    CHECK(cudaMalloc(&d_clouds, sizeof(int)));
    CHECK(cudaMemcpy(d_picture, picture.data(), n * sizeof(int), cudaMemcpyDefault));
    CHECK(cudaMemset(d_clouds, 0, sizeof(int)));
    clouds<<<(n + 255) / 256, 256>>>(d_picture, n, d_clouds);
    CHECK(cudaGetLastError());
    int count = fetched(d_clouds);
    // Someone saw the memory fill up over the weeks. Where does it go?
    if (day % 3 == 1 || count == 0) {
      CHECK(cudaFree(d_clouds));
      CHECK(cudaFree(d_picture));
      std::printf("day %d: no clouds\n", day);
      continue;
    }

    int* d_edges;
    CHECK(cudaMalloc(&d_edges, sizeof(int)));
    CHECK(cudaMemset(d_edges, 0, sizeof(int)));
    edges<<<(n + 255) / 256, 256>>>(d_picture, n, d_edges);
    CHECK(cudaGetLastError());
    std::printf("day %d: %d %d\n", day, count, fetched(d_edges));
    CHECK(cudaFree(d_edges));
    CHECK(cudaFree(d_clouds));
    CHECK(cudaFree(d_picture));
  }
}
