// Hourly temperatures of a year at many stations: each reading less its station's mean, and how long that takes.
// nvcc -o anomalies anomalies.cu && ./anomalies
#include <cmath>
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

constexpr int kHours = 24 * 365;
constexpr int kThreads = 256;  // of a block
constexpr int kVectors = kHours / 4;
constexpr int kKept = (kVectors + kThreads - 1) / kThreads;

__device__ float sum_of_warp(float v) {
  for (int step = 16; step > 0; step /= 2)
    v += __shfl_xor_sync(0xffffffff, v, step);
  return v;
}

// One block for each station, which loads its readings once.
// x, out: [gridDim.x][kHours]
__global__ void anomaly(const float* x, float* out) {
  __shared__ float part[kThreads / 32];
  size_t first = (size_t)blockIdx.x * kHours;
  auto row = reinterpret_cast<const float4*>(x + first);
  auto result = reinterpret_cast<float4*>(out + first);
  int t = threadIdx.x;
  float4 v[kKept] = {};
  float sum = 0;
  for (int k = 0; k < kKept; ++k) {
    int h = k * kThreads + t;
    if (h < kVectors) v[k] = row[h];
  }
  for (int k = 0; k < kKept; ++k)
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  sum = sum_of_warp(sum);
  if (t % 32 == 0) part[t / 32] = sum;
  __syncthreads();  // all parts are there
  sum = sum_of_warp(t % 32 < kThreads / 32 ? part[t % 32] : 0);
  float mean = sum / kHours;
  for (int k = 0; k < kKept; ++k) {
    int h = k * kThreads + t;
    if (h < kVectors)
      result[h] = {v[k].x - mean, v[k].y - mean,
                   v[k].z - mean, v[k].w - mean};
  }
}

// The new readings of one hour: [stations]
__global__ void replace_hour(float* x, const float* now,
                             int hour, int stations) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < stations) x[(size_t)s * kHours + hour] = now[s];
}

int main() {
  const int stations = 40;
  const size_t count = size_t(stations) * kHours;
  std::vector<float> x(count), out(count);
  for (size_t i = 0; i < count; ++i)
    x[i] = float(i * 7919 % 400);  // tenths of a degree
  std::vector<float> now(stations, 150);

  float *d_x, *d_out, *d_now;
  CHECK(cudaMalloc(&d_x, count * sizeof(float)));
  CHECK(cudaMalloc(&d_out, count * sizeof(float)));
  CHECK(cudaMalloc(&d_now, stations * sizeof(float)));
  // The table crosses the link once, and then stays.
  CHECK(cudaMemcpy(d_x, x.data(), count * sizeof(float),
                   cudaMemcpyHostToDevice));

  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int hour = 0; hour < 3; ++hour) {
    CHECK(cudaMemcpy(d_now, now.data(),
                     stations * sizeof(float),
                     cudaMemcpyHostToDevice));
    replace_hour<<<(stations + 255) / 256, 256>>>(
        d_x, d_now, hour, stations);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(begin));
    anomaly<<<stations, kThreads>>>(d_x, d_out);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    printf("hour %d: %.3f ms\n", hour, milliseconds);
    for (int s = 0; s < stations; ++s)
      x[size_t(s) * kHours + hour] = now[s];
  }
  CHECK(cudaMemcpy(out.data(), d_out, count * sizeof(float),
                   cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int s = 0; s < stations; ++s) {
    const float* row = x.data() + size_t(s) * kHours;
    double sum = 0;
    for (int h = 0; h < kHours; ++h) sum += row[h];
    const double mean = sum / kHours;
    for (int h = 0; h < kHours; ++h)
      wrong += std::fabs(out[size_t(s) * kHours + h] -
                         (row[h] - mean)) > 0.01;
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_now));
  if (wrong == 0)
    printf("PASS\n");
  else
    printf("FAIL: %d of %zu results are wrong\n", wrong,
           count);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
