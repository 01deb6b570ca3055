// Generators of pseudo-random numbers, and what they generate.
#pragma GCC visibility push(default)
#include "device/runtime/libraries/include/curand.h"
#pragma GCC visibility pop

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "device/runtime/libraries/curand/states.hpp"
#include "device/runtime/libraries/kernels.hpp"

extern const char kKernels[];

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT;
  bool for_host = false;  ///< results go into the host's memory
  cudaStream_t stream = nullptr;
  std::uint64_t seed = 0, offset = 0;
  /// Once the first numbers were asked for, until seed, offset or order change.
  bool begun = false;
  void* states = nullptr;  ///< in device memory
  int sequences = 0;
  int turn = 0;               ///< the sequence that gives the next result
  std::uint64_t place = 0;    ///< Philox: of the next result
  std::uint64_t counter = 0;  ///< and of the row of quads that it is in
};

namespace warpbook::device::libraries::curand {
namespace {

using Generator = curandGenerator_st;

const Kernels& kernels() {
  static const auto& all = *new Kernels(kKernels);
  return all;
}

// How many sequences take turns (cuRAND guide, "Order"). Philox has its in kernels.cu.
constexpr int kXorwowSequences = 4096, kMrgSequences = 81920, kLegacySequences = 4096;
constexpr std::uint64_t kQuad = 4, kQuadsOfRow = 65536;

bool is_philox(const Generator& g) { return g.type == CURAND_RNG_PSEUDO_PHILOX4_32_10; }

const char* name_of(const Generator& g) {
  switch (g.type) {
    case CURAND_RNG_PSEUDO_MRG32K3A: return "mrg32k3a";
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: return "philox";
    default: return "xorwow";
  }
}

curandStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/// What the program changed takes effect with the next numbers.
curandStatus_t begin_anew(Generator& g) {
  g.begun = false;
  const cudaError_t error = g.states ? cudaFree(g.states) : cudaSuccess;
  g.states = nullptr;
  return status_of(error);
}

template <class State>
curandStatus_t upload(Generator& g, const std::vector<State>& states) {
  const std::size_t bytes = states.size() * sizeof(State);
  if (cudaMalloc(&g.states, bytes) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
  return status_of(
      cudaMemcpyAsync(g.states, states.data(), bytes, cudaMemcpyHostToDevice, g.stream));
}

curandStatus_t begin(Generator& g) {
  if (g.begun) return CURAND_STATUS_SUCCESS;
  curandStatus_t status = CURAND_STATUS_SUCCESS;
  if (is_philox(g)) {
    g.place = g.offset;
    g.counter = g.place / kQuad / kQuadsOfRow;
  } else {
    const bool is_mrg = g.type == CURAND_RNG_PSEUDO_MRG32K3A;
    g.sequences = g.order == CURAND_ORDERING_PSEUDO_LEGACY ? kLegacySequences
                  : is_mrg                                 ? kMrgSequences
                                                           : kXorwowSequences;
    const auto sequences = static_cast<std::uint64_t>(g.sequences);
    const std::uint64_t rows = g.offset / sequences;
    g.turn = static_cast<int>(g.offset % sequences);
    status = is_mrg ? upload(g, mrg32k3a_states(g.seed, g.sequences, rows, g.turn))
                    : upload(g, xorwow_states(g.seed, g.sequences, rows, g.turn));
  }
  g.begun = status == CURAND_STATUS_SUCCESS;
  return status;
}

/// What is to be generated.
struct Wish {
  const char* kernel;
  std::size_t count = 0;
  std::size_t bytes = 0;  ///< of a result
  Shape shape{};
  bool pairs = false;    ///< a sequence gives two results a turn
  bool doubles = false;  ///< Philox: two words a result
};

curandStatus_t take_turns(Generator& g, const std::string& kernel, const Wish& wish, void* out) {
  Turns turns;
  turns.states = g.states;
  turns.sequences = g.sequences;
  turns.first = g.turn;
  turns.turns = static_cast<long long>(wish.pairs ? wish.count / 2 : wish.count);
  g.turn = static_cast<int>((g.turn + turns.turns) % g.sequences);
  const auto threads = std::min<std::int64_t>(turns.turns, g.sequences);
  return status_of(kernels().launch(kernel, dim3(blocks_for(threads)), dim3(kBlock), g.stream,
                                    turns, out, wish.shape));
}

curandStatus_t take_places(Generator& g, const std::string& kernel, const Wish& wish, void* out) {
  Places places;
  places.seed = g.seed;
  places.first = g.place;
  places.results = wish.count;
  places.counter = g.counter;
  const std::uint64_t first = g.place / kQuad, end = g.place + wish.count;
  const std::uint64_t rows = end / kQuad / kQuadsOfRow - first / kQuadsOfRow;
  g.place = end;
  g.counter += wish.doubles ? 2 * rows : rows;
  const auto threads = static_cast<std::int64_t>((end + kQuad - 1) / kQuad - first);
  return status_of(kernels().launch(kernel, dim3(blocks_for(threads)), dim3(kBlock), g.stream,
                                    places, out, wish.shape));
}

curandStatus_t generate_on_device(Generator& g, const Wish& wish, void* out) {
  if (const curandStatus_t status = begin(g)) return status;
  const std::string kernel = std::string("curand_") + name_of(g) + "_" + wish.kernel;
  return is_philox(g) ? take_places(g, kernel, wish, out) : take_turns(g, kernel, wish, out);
}

/// A generator for the host gives the same numbers, by way of the device.
curandStatus_t generate_for_host(Generator& g, const Wish& wish, void* out) {
  void* on_device = nullptr;
  const std::size_t bytes = wish.count * wish.bytes;
  if (cudaMalloc(&on_device, bytes) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
  curandStatus_t status = generate_on_device(g, wish, on_device);
  if (status == CURAND_STATUS_SUCCESS)
    status = status_of(cudaMemcpy(out, on_device, bytes, cudaMemcpyDeviceToHost));
  const curandStatus_t freed = status_of(cudaFree(on_device));
  return status == CURAND_STATUS_SUCCESS ? freed : status;
}

curandStatus_t generate(curandGenerator_t g, const Wish& wish, void* out) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (wish.count == 0) return CURAND_STATUS_SUCCESS;
  if (wish.pairs && !is_philox(*g) && wish.count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return g->for_host ? generate_for_host(*g, wish, out) : generate_on_device(*g, wish, out);
}

template <class T>
curandStatus_t normal(curandGenerator_t g, T* out, std::size_t count, T mean, T deviation,
                      bool exponential) {
  Wish wish{sizeof(T) == sizeof(double) ? "normal_double" : "normal", count, sizeof(T)};
  wish.shape.mean = mean;
  wish.shape.deviation = deviation;
  wish.shape.exponential = exponential ? 1 : 0;
  wish.pairs = true;
  wish.doubles = sizeof(T) == sizeof(double);
  return generate(g, wish, out);
}

/// The numbers that occur, from the least one on, with the probabilities of at most that many. What is left out on both sides has
/// less than 2^-33, which no 32 random bits can tell from nothing.
std::vector<double> poisson_sums(double lambda, unsigned& least) {
  constexpr double kDeviations = 12, kFew = 40;
  const double reach = kDeviations * std::sqrt(lambda) + kFew;
  least = lambda > reach ? static_cast<unsigned>(lambda - reach) : 0;
  const auto most = static_cast<unsigned>(lambda + reach);
  std::vector<double> sums;
  double sum = 0;
  for (unsigned k = least; k <= most; ++k) {
    sum += std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1.0));
    sums.push_back(sum);
  }
  return sums;
}

curandStatus_t poisson(curandGenerator_t g, unsigned* out, std::size_t count, double lambda) {
  constexpr double kMostLambda = 1 << 30;
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0) || lambda > kMostLambda) return CURAND_STATUS_OUT_OF_RANGE;
  Wish wish{"poisson", count, sizeof(unsigned)};
  const std::vector<double> sums = poisson_sums(lambda, wish.shape.least);
  void* on_device = nullptr;
  const std::size_t bytes = sums.size() * sizeof(double);
  if (cudaMalloc(&on_device, bytes) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
  wish.shape.sums = static_cast<const double*>(on_device);
  wish.shape.count = static_cast<int>(sums.size());
  curandStatus_t status =
      status_of(cudaMemcpyAsync(on_device, sums.data(), bytes, cudaMemcpyHostToDevice, g->stream));
  if (status == CURAND_STATUS_SUCCESS) status = generate(g, wish, out);
  const curandStatus_t freed = status_of(cudaFree(on_device));
  return status == CURAND_STATUS_SUCCESS ? freed : status;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool for_host) {
  if (!generator) return CURAND_STATUS_OUT_OF_RANGE;
  *generator = nullptr;
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT: type = CURAND_RNG_PSEUDO_XORWOW; break;
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: break;
    // Generators that NVIDIA's library has and this one has not.
    default: return CURAND_STATUS_TYPE_ERROR;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) return CURAND_STATUS_INITIALIZATION_FAILED;
  auto* const made = new (std::nothrow) Generator;
  if (!made) return CURAND_STATUS_ALLOCATION_FAILED;
  made->type = type;
  made->for_host = for_host;
  *generator = made;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace
}  // namespace warpbook::device::libraries::curand

using namespace warpbook::device::libraries::curand;

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  const curandStatus_t status = begin_anew(*generator);
  delete generator;
  return status;
}

curandStatus_t curandGetVersion(int* version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  *value = kVersion[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->seed = seed;
  return begin_anew(*generator);
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->offset = offset;
  return begin_anew(*generator);
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  const bool known =
      order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
      order == CURAND_ORDERING_PSEUDO_LEGACY || order == CURAND_ORDERING_PSEUDO_DYNAMIC;
  if (!known) return CURAND_STATUS_OUT_OF_RANGE;
  generator->order = order;
  return begin_anew(*generator);
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned) {
  return generator ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator ? begin(*generator) : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* out, std::size_t count) {
  return generate(generator, {"bits", count, sizeof *out}, out);
}

/// Of quasi-random generators of 64 bits alone.
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long*,
                                      std::size_t) {
  return generator ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, std::size_t count) {
  return generate(generator, {"uniform", count, sizeof *out}, out);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out,
                                           std::size_t count) {
  Wish wish{"uniform_double", count, sizeof *out};
  wish.doubles = true;
  return generate(generator, wish, out);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* out, std::size_t count,
                                    float mean, float deviation) {
  return normal(generator, out, count, mean, deviation, false);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* out,
                                          std::size_t count, double mean, double deviation) {
  return normal(generator, out, count, mean, deviation, false);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* out, std::size_t count,
                                       float mean, float deviation) {
  return normal(generator, out, count, mean, deviation, true);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* out,
                                             std::size_t count, double mean, double deviation) {
  return normal(generator, out, count, mean, deviation, true);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* out, std::size_t count,
                                     double lambda) {
  return poisson(generator, out, count, lambda);
}
