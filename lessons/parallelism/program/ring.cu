// Data parallel: each rank has its own days, and a ring adds up
// the gradients. With fewer GPUs than ranks, they share them.
// nvcc -o ring ring.cu && ./ring
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

constexpr int kRanks = 4, kDays = 64, kStations = 32;
constexpr int kWeights = kStations * kStations;
constexpr int kChunk = kWeights / kRanks;
constexpr int kSteps = 10, kBlock = 256;
constexpr float kRate = 0.5f;

// error = x weights - target      x, target, error: [days][stations]
__global__ void find_errors(const float* x, const float* weights,
                            const float* target, float* error,
                            int days) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= days * kStations) return;
  const float* row = x + i / kStations * kStations;
  float sum = 0;
  for (int k = 0; k < kStations; ++k)
    sum += row[k] * weights[k * kStations + i % kStations];
  error[i] = sum - target[i];
}

// The part of the gradient that these days have in the mean
// over all days.
__global__ void find_gradient(const float* x, const float* error,
                              float* gradient, int days) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kWeights) return;
  float sum = 0;
  for (int day = 0; day < days; ++day)
    sum += x[day * kStations + i / kStations] *
           error[day * kStations + i % kStations];
  gradient[i] = 2 * sum / kDays;
}

__global__ void accumulate(float* sum, const float* part, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += part[i];
}

__global__ void take_step(float* weights, const float* gradient) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kWeights) weights[i] -= kRate * gradient[i];
}

// What one rank has in the memory of its GPU.
struct Rank {
  int device, days;
  float *x, *target, *error, *weights, *gradient, *incoming;
};

int blocks_for(int n) { return (n + kBlock - 1) / kBlock; }

float* allocate(int n) {
  float* memory;
  CHECK(cudaMalloc(&memory, n * sizeof(float)));
  return memory;
}

float* copied(const float* values, int n) {
  float* memory = allocate(n);
  CHECK(cudaMemcpy(memory, values, n * sizeof(float),
                   cudaMemcpyHostToDevice));
  return memory;
}

Rank make_rank(int device, const std::vector<float>& x,
               const std::vector<float>& target, int first_day,
               int days) {
  CHECK(cudaSetDevice(device));
  int n = days * kStations, begin = first_day * kStations;
  Rank rank{device, days};
  rank.x = copied(&x[begin], n);
  rank.target = copied(&target[begin], n);
  rank.error = allocate(n);
  rank.weights = allocate(kWeights);
  CHECK(cudaMemset(rank.weights, 0, kWeights * sizeof(float)));
  rank.gradient = allocate(kWeights);
  rank.incoming = allocate(kChunk);
  return rank;
}

void free_rank(const Rank& rank) {
  CHECK(cudaSetDevice(rank.device));
  for (float* memory : {rank.x, rank.target, rank.error, rank.weights,
                        rank.gradient, rank.incoming})
    CHECK(cudaFree(memory));
}

void compute(const Rank& rank) {
  CHECK(cudaSetDevice(rank.device));
  find_errors<<<blocks_for(rank.days * kStations), kBlock>>>(
      rank.x, rank.weights, rank.target, rank.error, rank.days);
  CHECK(cudaGetLastError());
  find_gradient<<<blocks_for(kWeights), kBlock>>>(
      rank.x, rank.error, rank.gradient, rank.days);
  CHECK(cudaGetLastError());
}

// In each step, every rank sends one chunk to the next one: in the
// first half what arrives is added, in the second half it is kept.
void ring(const std::vector<Rank>& ranks) {
  const int n = kRanks, halfway = n - 1;
  for (int step = 0; step < 2 * (n - 1); ++step) {
    for (int r = 0; r < n; ++r) {
      const Rank &from = ranks[r], &to = ranks[(r + 1) % n];
      int chunk = (r + 2 * n - step) % n;
      float* place = step < halfway ? to.incoming
                                    : to.gradient + chunk * kChunk;
      CHECK(cudaMemcpyPeer(place, to.device,
                           from.gradient + chunk * kChunk,
                           from.device, kChunk * sizeof(float)));
    }
    for (int r = 0; step < halfway && r < n; ++r) {
      int chunk = (r + 2 * n - step - 1) % n;
      CHECK(cudaSetDevice(ranks[r].device));
      accumulate<<<blocks_for(kChunk), kBlock>>>(
          ranks[r].gradient + chunk * kChunk, ranks[r].incoming,
          kChunk);
      CHECK(cudaGetLastError());
    }
  }
}

void update(const Rank& rank) {
  CHECK(cudaSetDevice(rank.device));
  take_step<<<blocks_for(kWeights), kBlock>>>(rank.weights,
                                              rank.gradient);
  CHECK(cudaGetLastError());
}

std::vector<float> weights_of(const Rank& rank) {
  std::vector<float> weights(kWeights);
  CHECK(cudaSetDevice(rank.device));
  CHECK(cudaMemcpy(weights.data(), rank.weights,
                   kWeights * sizeof(float),
                   cudaMemcpyDeviceToHost));
  return weights;
}

int main() {
  std::vector<float> x(kDays * kStations), target(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i * 7919 % 101) / 101 - 0.5f;
    target[i] = static_cast<float>(i * 104729 % 103) / 103 - 0.5f;
  }
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  const int days = kDays / kRanks;
  std::vector<Rank> ranks;
  for (int r = 0; r < kRanks; ++r)
    ranks.push_back(
        make_rank(r % devices, x, target, r * days, days));
  Rank alone = make_rank(0, x, target, 0, kDays);

  for (int step = 0; step < kSteps; ++step) {
    for (const Rank& rank : ranks) compute(rank);
    ring(ranks);
    for (const Rank& rank : ranks) update(rank);
    compute(alone);
    update(alone);
  }

  const std::vector<float> first = weights_of(ranks[0]),
                           truth = weights_of(alone);
  bool equal = true, right = true;
  for (const Rank& rank : ranks) equal &= weights_of(rank) == first;
  for (int i = 0; i < kWeights; ++i)
    right &= std::fabs(first[i] - truth[i]) < 1e-5f;
  for (const Rank& rank : ranks) free_rank(rank);
  free_rank(alone);
  printf("%d GPUs, %d ranks: each sends %d bytes a step\n", devices,
         kRanks,
         static_cast<int>(2 * (kRanks - 1) * kChunk *
                          sizeof(float)));
  printf("all ranks equal: %s\n", equal ? "yes" : "no");
  printf("%s\n", equal && right ? "PASS" : "FAIL");
  return equal && right ? EXIT_SUCCESS : EXIT_FAILURE;
}
