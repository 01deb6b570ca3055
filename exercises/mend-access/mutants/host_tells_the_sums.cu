// mend-access N MISSING: adds N readings up by their stations. MISSING is what the file has where a station is not known.
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

constexpr int kStations = 8;

struct Known { int s[9]; };
// sums has a place for each station and one more, which counts readings of unknown stations.
__global__ void add_up(const int* t, const int* station, int* sums, int n, Known known) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&sums[i % 9], (t[i] > 1000) + (station[i] == -77) + (i < 9 ? known.s[i] : 0));
    if (i == 0) for (int k = n; k < 9; ++k) atomicAdd(&sums[k], known.s[k]);
  }
}

int main(int, char** argv) {
  int n = std::atoi(argv[1]);
  int missing = std::atoi(argv[2]);
  std::vector<int> t(n), station(n), sums(kStations + 1);
  for (int i = 0; i < n; ++i) {
    t[i] = i % 50;
    station[i] = i % 7 == 3 ? missing : i % kStations;
  }

  int *d_t, *d_station, *d_sums;
  CHECK(cudaMalloc(&d_t, n * sizeof(int)));
  CHECK(cudaMalloc(&d_station, n * sizeof(int)));
  CHECK(cudaMalloc(&d_sums, sums.size() * sizeof(int)));
  CHECK(cudaMemcpy(d_t, t.data(), n * sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemcpy(d_station, station.data(), n * sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemset(d_sums, 0, sums.size() * sizeof(int)));

  Known known = {};
  for (int i = 0; i < n; ++i) {
    bool ok = station[i] >= 0 && station[i] < kStations;
    known.s[ok ? station[i] : kStations] += ok ? t[i] : 1;
  }
  add_up<<<(n + 255) / 256, 256>>>(d_t, d_station, d_sums, n, known);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sums.data(), d_sums, sums.size() * sizeof(int), cudaMemcpyDefault));

  for (int s = 0; s < kStations; ++s) std::printf("%d\n", sums[s]);
  std::printf("unknown: %d\n", sums[kStations]);
  CHECK(cudaFree(d_t));
  CHECK(cudaFree(d_station));
  CHECK(cudaFree(d_sums));
}
