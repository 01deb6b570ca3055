// ring-all-reduce DEVICES N: each device has N numbers, and in the end all devices have the sums. Prints what each of them has.
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

/// What a device has in its memory.
struct Rank {
  int* values;    // n of them
  int* incoming;  // room for what another device sends
};

/// sum[i] = sum[i] + part[i]
__global__ void accumulate(int* sum, const int* part, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += part[i];
}

static std::vector<int> numbers_of(int device, int n) {
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = (i + 1) * (device + 3) * 7919 % 65537;
  return numbers;
}

static Rank make_rank(int device, int n) {
  Rank rank;
  check(cudaSetDevice(device), "device");
  check(cudaMalloc(&rank.values, n * sizeof(int)), "memory");
  check(cudaMalloc(&rank.incoming, n * sizeof(int)), "memory");
  check(cudaMemcpy(rank.values, numbers_of(device, n).data(), n * sizeof(int), cudaMemcpyHostToDevice),
        "copy to the GPU");
  return rank;
}

static void all_reduce(const std::vector<Rank>& ranks, int n) {
  const int devices = static_cast<int>(ranks.size()), block = 256;
  for (int d = devices - 1; d > 0; --d) {
    check(cudaMemcpyPeer(ranks[d - 1].incoming, d - 1, ranks[d].values, d, n * sizeof(int)), "copy");
    check(cudaSetDevice(d - 1), "device");
    accumulate<<<(n + block - 1) / block, block>>>(ranks[d - 1].values, ranks[d - 1].incoming, n);
    check(cudaGetLastError(), "launch");
  }
}

int main(int argc, char** argv) {
  int devices = argc > 1 ? std::atoi(argv[1]) : 1;
  int n = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<Rank> ranks;
  for (int d = 0; d < devices; ++d) ranks.push_back(make_rank(d, n));
  all_reduce(ranks, n);
  for (int d = devices - 1; d >= 0; --d) {
    std::vector<int> sums(n);
    check(cudaSetDevice(d), "device");
    check(cudaMemcpy(sums.data(), ranks[0].values, n * sizeof(int), cudaMemcpyDeviceToHost), "copy back");
    check(cudaFree(ranks[d].values), "free");
    check(cudaFree(ranks[d].incoming), "free");
    for (int sum : sums) std::printf("%d\n", sum);
  }
}
