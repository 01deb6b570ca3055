// Flash attention, in single precision and on tensor cores, against softmax written out in double.
#include <algorithm>
#include <bit>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::attention_test {

using namespace warpbook::device;

namespace {

constexpr int kWidth = 48;

std::vector<double> attention(const std::vector<float>& q, const std::vector<float>& k,
                              const std::vector<float>& v, int heads, int n, bool causal) {
  std::vector<double> o(q.size());
  const auto at = [&](int head, int row, int d) {
    return (static_cast<std::size_t>(head) * static_cast<std::size_t>(n) +
            static_cast<std::size_t>(row)) *
               kWidth +
           static_cast<std::size_t>(d);
  };
  for (int head = 0; head < heads; ++head) {
    for (int row = 0; row < n; ++row) {
      const int seen = causal ? row + 1 : n;
      std::vector<double> p(static_cast<std::size_t>(seen));
      for (int j = 0; j < seen; ++j) {
        double s = 0;
        for (int d = 0; d < kWidth; ++d)
          s += double{q[at(head, row, d)]} * double{k[at(head, j, d)]};
        p[static_cast<std::size_t>(j)] = s / std::sqrt(double{kWidth});
      }
      const double most = *std::max_element(p.begin(), p.end());
      double weight = 0;
      for (double& x : p) weight += x = std::exp(x - most);
      for (int d = 0; d < kWidth; ++d) {
        for (int j = 0; j < seen; ++j)
          o[at(head, row, d)] +=
              p[static_cast<std::size_t>(j)] / weight * double{v[at(head, j, d)]};
      }
    }
  }
  return o;
}

double farthest(const std::vector<float>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = std::abs(double{got[i]} - expected[i]);
    if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
  }
  return worst;
}

}  // namespace

TEST_CASE("Flash attention in single precision agrees with softmax in double, masked or not") {
  KernelBench bench("attention.cu");
  const int n = GENERATE(1, 31, 77);
  const bool causal = GENERATE(false, true);
  CAPTURE(n, causal);
  constexpr int kHeads = 2;
  const auto size = static_cast<std::size_t>(kHeads * n * kWidth);
  const auto q = numbers(size, -2.f, 2.f, 1), k = numbers(size, -2.f, 2.f, 2),
             v = numbers(size, -1.f, 1.f, 3);
  const Pointer o = bench.space<float>("o", size);
  bench.run(causal ? "attention_float<true>" : "attention_float<false>",
            {{static_cast<std::uint32_t>((n + 63) / 64), kHeads}, {64}},
            {Argument::pointer(bench.put("q", q)), Argument::pointer(bench.put("k", k)),
             Argument::pointer(bench.put("v", v)), Argument::pointer(o), Argument::of(n)});
  CHECK(farthest(bench.get<float>(o, size), attention(q, k, v, kHeads, n, causal)) < 2e-6);
}

TEST_CASE("Flash attention on tensor cores agrees with softmax in double within half's precision") {
  KernelBench bench("attention.cu");
  const int n = GENERATE(1, 16, 77);
  CAPTURE(n);
  constexpr int kHeads = 2;
  const auto size = static_cast<std::size_t>(kHeads * n * kWidth);
  // Multiples of 1/256 between -1 and 1 are halves.
  const auto inputs = [&](std::uint32_t seed, std::vector<float>& floats) {
    std::vector<std::uint16_t> halves;
    for (const int i : numbers(size, -256, 256, seed)) {
      const float f = static_cast<float>(i) / 256;
      floats.push_back(f);
      const auto bits = std::bit_cast<std::uint32_t>(f);
      halves.push_back(static_cast<std::uint16_t>(f == 0 ? 0
                                                         : (bits >> 16 & 0x8000) |
                                                               (((bits >> 23 & 255) - 112) << 10) |
                                                               (bits >> 13 & 0x3ff)));
    }
    return halves;
  };
  std::vector<float> q, k, v;
  const Pointer pq = bench.put("q", inputs(1, q)), pk = bench.put("k", inputs(2, k)),
                pv = bench.put("v", inputs(3, v));
  const Pointer o = bench.space<float>("o", size);
  const auto record =
      bench.run("attention_wmma", {{static_cast<std::uint32_t>((n + 15) / 16), kHeads}, {32}},
                {Argument::pointer(pq), Argument::pointer(pk), Argument::pointer(pv),
                 Argument::pointer(o), Argument::of(n)});
  // Weights are rounded to half, and their sum is of the rounded ones.
  CHECK(farthest(bench.get<float>(o, size), attention(q, k, v, kHeads, n, false)) < 1e-3);
  const auto tiles = static_cast<std::uint64_t>((n + 15) / 16);
  CHECK(record->total.tensor_operations == kHeads * tiles * tiles * 6);
}

}  // namespace warpbook::tests::attention_test
