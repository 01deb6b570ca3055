// A day of an electricity meter: what was used in each quarter of an hour, smoothed, and its peak.
// nvcc -o meter meter.cu && ./meter
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program where a CUDA call fails.
#define CHECK(call)                           \
  do {                                        \
    cudaError_t error = (call);               \
    if (error != cudaSuccess) {               \
      fprintf(stderr, "line %d: %s\n",        \
              __LINE__,                       \
              cudaGetErrorString(error));     \
      exit(EXIT_FAILURE);                     \
    }                                         \
  } while (0)

constexpr int kDay = 96;  // quarters of an hour: the threads of a block

// reading: [n + 1], used: [n]
__global__ void differences(const int* reading, int* used,
                            int n) {
  __shared__ int m[kDay];
  int t = threadIdx.x;
  int i = blockIdx.x * kDay + t;
  if (i < n) m[t] = reading[i + 1];
  __syncthreads();  // the neighbour's reading may come later
  if (i < n) {
    int before = t > 0 ? m[t - 1] : reading[i];
    used[i] = m[t] - before;
  }
}

// used: [gridDim.x * kDay], smoothed as often as `rounds` says
__global__ void smooth(const int* used, float* out,
                       int rounds) {
  __shared__ float day[2][kDay];
  int t = threadIdx.x;
  int i = blockIdx.x * kDay + t;
  int left = max(t - 1, 0);
  int right = min(t + 1, kDay - 1);
  int now = 0;
  day[now][t] = used[i];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    float mean = (day[now][left] + 2 * day[now][t] +
                  day[now][right]) / 4;
    now = 1 - now;
    day[now][t] = mean;
    __syncthreads();  // the new row is complete
  }
  out[i] = day[now][t];
}

// *peak is 0 at first.
__global__ void find_peak(const int* used, int* peak,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(peak, used[i]);
}

// What `smooth` makes of one day, on the CPU.
std::vector<float> smoothed(std::vector<float> day, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    const std::vector<float> before = day;
    for (int t = 0; t < kDay; ++t) {
      const int left = std::max(t - 1, 0);
      const int right = std::min(t + 1, kDay - 1);
      day[t] = (before[left] + 2 * before[t] + before[right]) / 4;
    }
  }
  return day;
}

int main() {
  const int days = 7, n = days * kDay, rounds = 4;
  std::vector<int> reading(n + 1), expected(n);
  reading[0] = 1000;
  for (int i = 0; i < n; ++i) {
    expected[i] = 40 + (7 + i * 16) % 23 + (i % kDay / 8 == 9 ? 250 : 0);
    reading[i + 1] = reading[i] + expected[i];
  }

  int *d_reading, *d_used, *d_peak;
  float* d_smooth;
  CHECK(cudaMalloc(&d_reading, (n + 1) * sizeof(int)));
  CHECK(cudaMalloc(&d_used, n * sizeof(int)));
  CHECK(cudaMalloc(&d_smooth, n * sizeof(float)));
  CHECK(cudaMalloc(&d_peak, sizeof(int)));
  CHECK(cudaMemcpy(d_reading, reading.data(),
                   (n + 1) * sizeof(int),
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_peak, 0, sizeof(int)));

  // Each launch begins when the one before has ended: this is
  // the order between blocks that no barrier can give.
  differences<<<days, kDay>>>(d_reading, d_used, n);
  CHECK(cudaGetLastError());
  smooth<<<days, kDay>>>(d_used, d_smooth, rounds);
  CHECK(cudaGetLastError());
  find_peak<<<days, kDay>>>(d_used, d_peak, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  std::vector<int> used(n);
  std::vector<float> curve(n);
  int peak = 0;
  CHECK(cudaMemcpy(used.data(), d_used, n * sizeof(int),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(curve.data(), d_smooth, n * sizeof(float),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&peak, d_peak, sizeof(int),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_reading));
  CHECK(cudaFree(d_used));
  CHECK(cudaFree(d_smooth));
  CHECK(cudaFree(d_peak));

  bool right = used == expected;
  right = right && peak == *std::max_element(expected.begin(), expected.end());
  for (int d = 0; d < days; ++d) {
    const std::vector<float> truth = smoothed(
        {expected.begin() + d * kDay, expected.begin() + (d + 1) * kDay}, rounds);
    right = right && std::equal(truth.begin(), truth.end(), curve.begin() + d * kDay);
  }
  printf("%d quarters of an hour, peak %d Wh: %s\n", n, peak,
         right ? "PASS" : "FAIL");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
