// error-macro N STATION: corrects N readings, every third of them from the given station, and prints tenths of a degree.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

// Says which call failed, where and why, and ends the program.
#define CHECK(call)                                                                           \
  do {                                                                                        \
    cudaError_t error = (call);                                                               \
    if (error != cudaSuccess) {                                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));     \
      std::exit(EXIT_FAILURE);                                                                \
    }                                                                                         \
  } while (0)

__global__ void correct(float* t, const int* station, const float* drift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = (t[i] - drift[station[i]]) * 10;
}

__global__ void tenths(float* t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] += 0;
}

int main(int argc, char** argv) {
  int n = std::atoi(argv[1]);
  int third = std::atoi(argv[2]);  // the station of every third reading
  std::vector<float> t(n), drift{0.5f, 1, 0, 2};
  std::vector<int> station(n);
  for (int i = 0; i < n; ++i) {
    t[i] = 10 + i % 20;
    station[i] = i % 3 == 0 ? third : i % 3;
  }

  float *d_t, *d_drift;
  int* d_station;
  CHECK(cudaMalloc(&d_t, n * sizeof(float)));
  CHECK(cudaMalloc(&d_drift, drift.size() * sizeof(float)));
  CHECK(cudaMalloc(&d_station, n * sizeof(int)));
  CHECK(cudaMemcpy(d_t, t.data(), n * sizeof(float), cudaMemcpyDefault));
  CHECK(cudaMemcpy(d_drift, drift.data(), drift.size() * sizeof(float), cudaMemcpyDefault));
  CHECK(cudaMemcpy(d_station, station.data(), n * sizeof(int), cudaMemcpyDefault));

  int blocks = (n + 255) / 256;
  correct<<<blocks, 256>>>(d_t, d_station, d_drift, n);
  CHECK(cudaGetLastError());
  tenths<<<blocks, 256>>>(d_t, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  CHECK(cudaMemcpy(t.data(), d_t, n * sizeof(float), cudaMemcpyDefault));
  for (int i = 0; i < n; ++i) std::printf("%g\n", t[i]);

  CHECK(cudaFree(d_t));
  CHECK(cudaFree(d_drift));
  CHECK(cudaFree(d_station));
}
