// Corrects a day's readings of a weather service, and tells whatever
// goes wrong: what the file has wrong, what CUDA refuses, what fails.
// nvcc -o day day.cu && ./day
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program where a CUDA call fails, and says which.
#define CHECK(call)                               \
  do {                                            \
    cudaError_t error = (call);                   \
    if (error != cudaSuccess) {                   \
      fprintf(stderr, "%s:%d: %s\n",              \
              __FILE__, __LINE__,                 \
              cudaGetErrorString(error));         \
      exit(EXIT_FAILURE);                         \
    }                                             \
  } while (0)

constexpr int kStations = 8;

// Readings of a station that there is not are counted, and left as they are.
__global__ void correct(float* t, const int* station,
                        const float* drift, int n, int* unknown) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int s = station[i];
    if (s >= 0 && s < kStations) {
      t[i] -= drift[s];
    } else {
      atomicAdd(unknown, 1);
    }
  }
}

__global__ void tenths(float* t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    t[i] *= 10;
  }
}

int main() {
  const int n = 1025, missing = 700, block = 256;
  const int grid = (n + block - 1) / block;
  const float drift[kStations] = {0.5f, 1, 0.25f, 0, 2, 0.75f, 1.5f, 0.25f};
  std::vector<float> t(n);
  std::vector<int> station(n);
  for (int i = 0; i < n; ++i) {
    t[i] = 10.0f + i % 20;
    station[i] = i == missing ? 99999999 : i % kStations;
  }

  float *d_t, *d_drift;
  int *d_station, *d_unknown;
  CHECK(cudaMalloc(&d_t, n * sizeof(float)));
  CHECK(cudaMalloc(&d_drift, sizeof drift));
  CHECK(cudaMalloc(&d_station, n * sizeof(int)));
  CHECK(cudaMalloc(&d_unknown, sizeof(int)));
  CHECK(cudaMemcpy(d_t, t.data(), n * sizeof(float), cudaMemcpyDefault));
  CHECK(cudaMemcpy(d_drift, drift, sizeof drift, cudaMemcpyDefault));
  CHECK(cudaMemcpy(d_station, station.data(), n * sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemset(d_unknown, 0, sizeof(int)));

  correct<<<grid, block>>>(d_t, d_station, d_drift, n, d_unknown);
  CHECK(cudaGetLastError());
  tenths<<<grid, block>>>(d_t, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());  // so that this line tells what the kernels did wrong

  std::vector<float> out(n);
  int unknown = 0;
  CHECK(cudaMemcpy(out.data(), d_t, n * sizeof(float), cudaMemcpyDefault));
  CHECK(cudaMemcpy(&unknown, d_unknown, sizeof(int), cudaMemcpyDefault));
  CHECK(cudaFree(d_t));
  CHECK(cudaFree(d_drift));
  CHECK(cudaFree(d_station));
  CHECK(cudaFree(d_unknown));

  printf("readings of an unknown station: %d\n", unknown);
  int wrong = unknown != 1;
  for (int i = 0; i < n; ++i) {
    const float right = i == missing ? t[i] : t[i] - drift[i % kStations];
    wrong += out[i] != right * 10;
  }
  printf(wrong == 0 ? "PASS\n" : "FAIL: %d readings are wrong\n", wrong);
  return wrong != 0;
}
