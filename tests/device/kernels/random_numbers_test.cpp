// cuRAND's device functions give their generators' own numbers, and distributions of the right shape.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "device/compiler/toolkit.hpp"
#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::random_numbers_test {

using namespace warpbook::device;

namespace {

/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3").
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::uint32_t k0,
                                    std::uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53} * c[0], b = std::uint64_t{0xcd9e8d57} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(a)};
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
  return c;
}

/// The toolkit's wheels that the set-up fetches where there is no toolkit come without cuRAND.
KernelBench random_numbers() {
  const auto toolkit = find_toolkit();
  if (toolkit && std::ranges::none_of(toolkit->includes, [](const std::filesystem::path& folder) {
        return std::filesystem::exists(folder / "curand_kernel.h");
      }))
    SKIP("this toolkit has no curand_kernel.h");
  return KernelBench("random_numbers.cu");
}

}  // namespace

TEST_CASE("cuRAND's Philox counts as the paper says", "[ci]") {
  KernelBench bench = random_numbers();
  constexpr std::uint64_t kSeed = 0x123456789abcdef0, kFrom = 6;
  constexpr int kEach = 9, kThreads = 37;
  const Pointer y = bench.space<std::uint32_t>("y", kEach * kThreads);
  bench.run_checked(
      "words<curandStatePhilox4_32_10>", {{1}, {kThreads}},
      {Argument::pointer(y), Argument::of(kSeed), Argument::of(kFrom), Argument::of(kEach)});
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    for (std::uint32_t k = 0; k < kEach; ++k) {
      const std::uint32_t at = k + kFrom;
      expected.push_back(
          philox({at / 4, 0, i, 0}, static_cast<std::uint32_t>(kSeed), kSeed >> 32)[at % 4]);
    }
  }
  CHECK(first_difference(bench.get<std::uint32_t>(y, expected.size()), expected) == -1);
}

TEST_CASE("cuRAND's generators make evenly spread words, each thread its own", "[ci]") {
  KernelBench bench = random_numbers();
  constexpr int kEach = 16, kThreads = 96;
  for (const char* state :
       {"curandStatePhilox4_32_10", "curandStateXORWOW", "curandStateMRG32k3a"}) {
    CAPTURE(state);
    const Pointer y = bench.space<std::uint32_t>("y", kEach * kThreads);
    bench.run_checked("words<" + std::string(state) + ">", {{3}, {32}},
                      {Argument::pointer(y), Argument::of(std::uint64_t{9}),
                       Argument::of(std::uint64_t{3}), Argument::of(kEach)});
    auto words = bench.get<std::uint32_t>(y, kEach * kThreads);
    std::array<int, 16> bins{};
    for (const std::uint32_t w : words) ++bins[w >> 28];
    double chi = 0;
    for (const int n : bins) chi += (n - 96.0) * (n - 96.0) / 96;
    CHECK(chi < 50);  // 15 degrees of freedom: one in 100,000
    std::sort(words.begin(), words.end());
    CHECK(std::unique(words.begin(), words.end()) - words.begin() > kEach * kThreads - 3);
  }
}

TEST_CASE("cuRAND's distributions have their means and variances", "[ci]") {
  KernelBench bench = random_numbers();
  constexpr int kEach = 12, kThreads = 160;
  const double mean[7] = {0.5, 0.5, 0, 0, 0, std::exp(0.25 * 0.25 / 2), 3.5};
  const double variance[7] = {1. / 12, 1. / 12, 1, 1, 1, std::exp(0.0625) * (std::exp(0.0625) - 1),
                              3.5};
  for (const char* state :
       {"curandStatePhilox4_32_10", "curandStateXORWOW", "curandStateMRG32k3a"}) {
    CAPTURE(state);
    const Pointer y = bench.space<double>("y", 7 * kEach * kThreads);
    bench.run_checked("distributions<" + std::string(state) + ">", {{5}, {32}},
                      {Argument::pointer(y), Argument::of(kEach)});
    const auto got = bench.get<double>(y, 7 * kEach * kThreads);
    constexpr double n = kEach * kThreads;
    for (std::size_t k = 0; k < 7; ++k) {
      double sum = 0, squares = 0;
      for (std::size_t i = k; i < got.size(); i += 7)
        sum += got[i], squares += (got[i] - mean[k]) * (got[i] - mean[k]);
      CAPTURE(k);
      CHECK(std::abs(sum / n - mean[k]) < 5 * std::sqrt(variance[k] / n));
      CHECK(std::abs(squares / n - variance[k]) < 0.3 * variance[k]);
    }
  }
}

TEST_CASE("A generator kept in memory goes on in the next launch", "[ci]") {
  KernelBench bench = random_numbers();
  constexpr std::size_t kStateBytes = 48;
  const Pointer states = bench.space<std::uint64_t>("states", 33 * kStateBytes / 8),
                inside = bench.zeros<std::uint32_t>("inside", 1);
  bench.run_checked("begin", {{1}, {33}}, {Argument::pointer(states)});
  std::uint32_t before = 0;
  for (int launch = 0; launch < 2; ++launch) {
    bench.run_checked("darts", {{1}, {33}},
                      {Argument::pointer(states), Argument::pointer(inside), Argument::of(100)});
    const std::uint32_t now = bench.get<std::uint32_t>(inside, 1)[0];
    CHECK(std::abs(4 * (now - before) / 3300. - 3.1416) < 0.15);
    before = now;
  }
}

}  // namespace warpbook::tests::random_numbers_test
