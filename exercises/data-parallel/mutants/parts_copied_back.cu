// data-parallel DEVICES DAYS: the gradient of a layer's weights for DAYS days, as each of the devices has it in the end.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

/// Ends the program with CUDA's own words where a call has failed.
static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

constexpr int kStations = 24, kWeights = kStations * kStations, kBlock = 256;

/// error = x weights - target      x, target, error: [days][stations]
__global__ void find_errors(const float* x, const float* weights, const float* target, float* error, int days) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= days * kStations) return;
  float sum = -target[i];
  for (int k = 0; k < kStations; ++k)
    sum += x[i / kStations * kStations + k] * weights[k * kStations + i % kStations];
  error[i] = sum;
}

/// gradient = xT error      gradient: [stations][stations]
__global__ void find_gradient(const float* x, const float* error, float* gradient, int days) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kWeights) return;
  float sum = 0;
  for (int day = 0; day < days; ++day)
    sum += x[day * kStations + i / kStations] * error[day * kStations + i % kStations];
  gradient[i] = sum;
}

/// sum = sum + part      sum, part: [stations][stations]
__global__ void accumulate(float* sum, const float* part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kWeights) sum[i] += part[i];
}

static int blocks_for(int threads) { return (threads + kBlock - 1) / kBlock; }

/// Whole numbers from -most to most, always the same ones.
static std::vector<float> drawn(int count, unsigned salt, int most) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) {
    unsigned mixed = (i + 1) * 2654435761u ^ salt * 40503u;
    mixed = (mixed ^ mixed >> 15) * 2246822519u;
    values[i] = static_cast<float>((mixed >> 16) % (2 * most + 1)) - most;
  }
  return values;
}

/// Memory of the current device; it holds so many of the values where these are given.
static float* memory_for(int count, const float* values = nullptr) {
  float* memory;
  check(cudaMalloc(&memory, count * sizeof(float)), "memory");
  if (values)
    check(cudaMemcpy(memory, values, count * sizeof(float), cudaMemcpyHostToDevice), "copy to the GPU");
  return memory;
}

/// What a device has in its memory.
struct Rank {
  int days;
  float *x, *target, *error, *weights, *gradient, *incoming;
};

/// The device gets its days, and all weights.
static Rank make_rank(int device, const float* x, const float* target, int days) {
  check(cudaSetDevice(device), "device");
  int n = days * kStations;
  return {days,          memory_for(n, x), memory_for(n, target), memory_for(n), memory_for(kWeights, drawn(kWeights, 3, 2).data()),
          memory_for(kWeights), memory_for(kWeights)};
}

/// The gradient for the device's own days; without days it is 0.
static void find_own_gradient(int device, const Rank& rank) {
  check(cudaSetDevice(device), "device");
  if (rank.days > 0) {
    find_errors<<<blocks_for(rank.days * kStations), kBlock>>>(rank.x, rank.weights, rank.target, rank.error, rank.days);
    check(cudaGetLastError(), "launch");
  }
  find_gradient<<<blocks_for(kWeights), kBlock>>>(rank.x, rank.error, rank.gradient, rank.days);
  check(cudaGetLastError(), "launch");
}

/// Device 0 adds up the gradients of all, and sends the sum to all.
static void add_up(const std::vector<Rank>& ranks) {
  const int devices = static_cast<int>(ranks.size()), bytes = kWeights * sizeof(float);
  for (int d = 1; d < devices; ++d) {
    check(cudaMemcpyPeer(ranks[0].incoming, 0, ranks[d].gradient, d, bytes), "copy to device 0");
    check(cudaSetDevice(0), "device");
    accumulate<<<blocks_for(kWeights), kBlock>>>(ranks[0].gradient, ranks[0].incoming);
    check(cudaGetLastError(), "launch");
  }
  for (int d = 1; d < devices; ++d)
    check(cudaMemcpyPeer(ranks[d].gradient, d, ranks[0].gradient, 0, bytes), "copy from device 0");
}

int main(int argc, char** argv) {
  int devices = argc > 1 ? std::atoi(argv[1]) : 1;
  int days = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<float> x = drawn(days * kStations, 1, 3), target = drawn(days * kStations, 2, 20);
  std::vector<Rank> ranks;
  for (int d = 0; d < devices; ++d) {
    int first = d * days / devices, end = (d + 1) * days / devices;
    ranks.push_back(make_rank(d, &x[first * kStations], &target[first * kStations], end - first));
  }
  for (int d = 0; d < devices; ++d) {
    std::vector<float> part(kWeights);
    find_own_gradient(d, ranks[d]);
    check(cudaMemcpy(part.data(), ranks[d].gradient, kWeights * sizeof(float), cudaMemcpyDeviceToHost), "copy back");
  }
  add_up(ranks);
  for (int d = 0; d < devices; ++d) {
    const Rank& rank = ranks[d];
    std::vector<float> gradient(kWeights);
    check(cudaSetDevice(d), "device");
    check(cudaMemcpy(gradient.data(), rank.gradient, kWeights * sizeof(float), cudaMemcpyDeviceToHost), "copy back");
    for (float* memory : {rank.x, rank.target, rank.error, rank.weights, rank.gradient, rank.incoming})
      check(cudaFree(memory), "free");
    for (float value : gradient) std::printf("%d\n", static_cast<int>(value));
  }
}
