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

/// The array in as many parts as asked for. Where n is no multiple of them, some are larger by one.
struct Chunk {
  int begin, size;
};
static Chunk chunk_of(int number, int parts, int n) {
  int begin = number * n / parts;
  return {begin, (number + 1) * n / parts - begin};
}

/// A ring over a part of the arrays; `way` is 1 or -1.
static void ring(const std::vector<Rank>& ranks, Chunk part, int way) {
  const int devices = static_cast<int>(ranks.size()), block = 256;
  const auto at = [&](int place) { return ((place % devices) + devices) % devices; };
  const auto chunk_at = [&](int place) {
    Chunk chunk = chunk_of(at(place), devices, part.size);
    return Chunk{part.begin + chunk.begin, chunk.size};
  };
  for (int step = 0; step < 2 * (devices - 1); ++step) {
    const bool adds = step < devices - 1;
    for (int d = 0; d < devices; ++d) {
      int next = at(d + way);
      Chunk chunk = chunk_at(d - way * step);
      int* place = (adds ? ranks[next].incoming : ranks[next].values) + chunk.begin;
      check(cudaMemcpyPeer(place, next, ranks[d].values + chunk.begin, d, chunk.size * sizeof(int)), "copy");
    }
    for (int d = 0; adds && d < devices; ++d) {
      Chunk chunk = chunk_at(d - way * (step + 1));
      if (chunk.size == 0) continue;
      check(cudaSetDevice(d), "device");
      accumulate<<<(chunk.size + block - 1) / block, block>>>(ranks[d].values + chunk.begin,
                                                              ranks[d].incoming + chunk.begin, chunk.size);
      check(cudaGetLastError(), "launch");
    }
  }
}

/// One half of the numbers goes round this way, the other half that way.
static void all_reduce(const std::vector<Rank>& ranks, int n) {
  ring(ranks, chunk_of(0, 2, n), 1);
  ring(ranks, chunk_of(1, 2, n), -1);
}

int main(int argc, char** argv) {
  int devices = argc > 1 ? std::atoi(argv[1]) : 1;
  int n = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<Rank> ranks;
  for (int d = 0; d < devices; ++d) ranks.push_back(make_rank(d, n));
  all_reduce(ranks, n);
  for (int d = 0; d < devices; ++d) {
    std::vector<int> sums(n);
    check(cudaSetDevice(d), "device");
    check(cudaMemcpy(sums.data(), ranks[d].values, n * sizeof(int), cudaMemcpyDeviceToHost), "copy back");
    check(cudaFree(ranks[d].values), "free");
    check(cudaFree(ranks[d].incoming), "free");
    for (int sum : sums) std::printf("%d\n", sum);
  }
}
