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

/// The array in as many chunks as there are devices. Where n is no multiple of them, some are larger by one.
struct Chunk {
  int begin, size;
};
static Chunk chunk_of(int number, int devices, int n) {
  int begin = number * n / devices;
  return {begin, (number + 1) * n / devices - begin};
}

static void all_reduce(const std::vector<Rank>& ranks, int n) {
  const int devices = static_cast<int>(ranks.size()), block = 256;
  // Each device sends one chunk to the next one, which adds its own to it: in step s, device d sends chunk d - s.
  for (int step = 0; step < devices - 1; ++step) {
    for (int d = 0; d < devices; ++d) {
      int next = (d + 1) % devices;
      Chunk chunk = chunk_of((d - step + devices) % devices, devices, n);
      check(cudaMemcpyPeer(ranks[next].incoming, next, ranks[d].values + chunk.begin, d,
                           chunk.size * sizeof(int)),
            "copy to the next device");
    }
    for (int d = 0; d < devices; ++d) {
      Chunk chunk = chunk_of((d - 1 - step + devices) % devices, devices, n);
      if (chunk.size == 0) continue;
      check(cudaSetDevice(d), "device");
      accumulate<<<(chunk.size + block - 1) / block, block>>>(ranks[d].values + chunk.begin, ranks[d].incoming,
                                                              chunk.size);
      check(cudaGetLastError(), "launch");
    }
  }
  // Now device d has the sums of chunk d + 1, and the finished chunks go round once more.
  for (int step = 0; step < devices - 1; ++step) {
    for (int d = 0; d < devices; ++d) {
      int next = (d + 1) % devices;
      Chunk chunk = chunk_of((d + 1 - step + devices) % devices, devices, n);
      check(cudaMemcpyPeer(ranks[next].values + chunk.begin, next, ranks[d].values + chunk.begin, d,
                           chunk.size * sizeof(int)),
            "copy to the next device");
    }
  }
}

int main(int argc, char** argv) {
  int devices = argc > 1 ? std::atoi(argv[1]) : 1;
  int n = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<Rank> ranks;
  for (int d = 0; d < devices; ++d) {
    ranks.push_back(make_rank(d, n));
    std::vector<int> own(n);
    check(cudaMemcpy(own.data(), ranks[d].values, n * sizeof(int), cudaMemcpyDeviceToHost), "copy back");
  }
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
