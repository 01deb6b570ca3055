// libcu++ does on the device what the host's standard library does.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <numeric>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::libcudacxx_test {

using namespace warpbook::device;

TEST_CASE("libcu++'s containers and algorithms agree with the standard library's", "[ci]") {
  KernelBench bench("libcudacxx.cu");
  constexpr int kCount = 45;
  const auto x = numbers<int>(kCount, -50, 50);
  const Pointer y = bench.space<int>("y", 12 * kCount);
  bench.run_checked(
      "containers", {{1}, {kCount}},
      {Argument::pointer(bench.put("x", x)), Argument::pointer(y), Argument::of(kCount)});
  std::vector<int> expected;
  for (int i = 0; i < kCount; ++i) {
    std::array<int, 5> a{};
    for (int k = 0; k < 5; ++k)
      a[static_cast<std::size_t>(k)] = x[static_cast<std::size_t>((i + k) % kCount)] * (k + 1);
    const auto u = static_cast<std::size_t>(i);
    expected.push_back(std::min(a[u % 5], a[(u + 1) % 5]));
    expected.push_back(std::max({a[0], a[1], a[4]}));
    expected.push_back(a[2] + 'a' + i % 26);
    expected.push_back(static_cast<int>((std::int64_t{1} << i) % 1000003));
    const int length = std::min(3, kCount - i);
    expected.push_back(length);
    int found = -7;
    for (int k = i; k < i + length; ++k)
      if (x[static_cast<std::size_t>(k)] % 2) found = x[static_cast<std::size_t>(k)];
    expected.push_back(found);
    expected.push_back(i % 2 ? 2 * i : i);
    expected.push_back(-i);
    std::sort(a.begin(), a.end());
    expected.push_back(std::accumulate(a.begin(), a.end(), 3));
    expected.push_back(a[0]);
    expected.push_back(a[3]);
    expected.push_back(std::gcd(12 * i + 12, 18) + std::lcm(i + 1, 4));
  }
  CHECK(first_difference(bench.get<int>(y, expected.size()), expected) == -1);
}

TEST_CASE("libcu++ counts and turns bits", "[ci]") {
  KernelBench bench("libcudacxx.cu");
  std::vector<std::uint32_t> x = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff};
  for (const std::uint32_t v : numbers<std::uint32_t>(90, 0, 0xfffffffe))
    x.push_back(v >> (v % 31));
  const std::size_t n = x.size();
  const Pointer y = bench.space<std::uint32_t>("y", 9 * n);
  bench.run_checked("bits", {{1}, {128}},
                    {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
                     Argument::of(static_cast<int>(n))});
  std::vector<std::uint32_t> expected;
  for (const std::uint32_t v : x) {
    for (const std::uint32_t e :
         {static_cast<std::uint32_t>(std::popcount(v)),
          static_cast<std::uint32_t>(std::countl_zero(v)),
          static_cast<std::uint32_t>(std::countr_one(v)), std::rotl(v, 7),
          std::uint32_t{std::has_single_bit(v)}, std::bit_floor(v), std::bit_ceil(v >> 1),
          v & 0x7f7fffffu, 0x7fffffffu - static_cast<std::uint32_t>(std::bit_width(v))})
      expected.push_back(e);
  }
  CHECK(first_difference(bench.get<std::uint32_t>(y, expected.size()), expected) == -1);
}

TEST_CASE("libcu++'s complex numbers agree with the host's", "[ci]") {
  KernelBench bench("libcudacxx.cu");
  const auto check = [&]<class T>(T near, const std::string& kernel) {
    constexpr std::size_t n = 101;
    const auto x = numbers<T>(n, T(-3), T(3));
    const Pointer y = bench.space<T>("y", 18 * n);
    bench.run_checked(
        kernel, {{3}, {37}},
        {Argument::pointer(bench.put("x", x)), Argument::pointer(y), Argument::of(101)});
    const auto got = bench.get<T>(y, 18 * n);
    using C = std::complex<long double>;
    for (std::size_t i = 0; i < n; ++i) {
      const C a(x[i], x[(i + 1) % n]), b(x[(i + 2) % n], x[(i + 3) % n]);
      const long double r = x[i];
      const C truth[9] = {a + b,
                          a * b,
                          a / b,
                          std::exp(a),
                          std::log(a),
                          std::sqrt(a),
                          std::pow(a, b),
                          std::conj(a) * C(2 * std::cos(r), 2 * std::sin(r)),
                          C(std::abs(a), std::arg(a))};
      for (std::size_t k = 0; k < 9; ++k) {
        const C value(got[18 * i + 2 * k], got[18 * i + 2 * k + 1]);
        CAPTURE(kernel, i, k);
        CHECK(std::abs(value - truth[k]) <= near * std::max(1.0L, std::abs(truth[k])));
      }
    }
  };
  check(2e-5f, "complex_numbers<float>");
  check(3e-14, "complex_numbers<double>");
}

TEST_CASE("libcu++'s matrices are views of any layout", "[ci]") {
  KernelBench bench("libcudacxx.cu");
  constexpr int kRows = 17, kColumns = 29;
  const auto x = numbers<float>(kRows * kColumns, -1, 1);
  const Pointer y = bench.space<float>("y", x.size());
  bench.run_checked("matrices", {{1}, {13, 5}},
                    {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
                     Argument::of(kRows), Argument::of(kColumns)});
  const auto got = bench.get<float>(y, x.size());
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < kColumns; ++c) {
      const float truth =
          x[r * kColumns + c] * 2 + std::hypot(static_cast<float>(r), static_cast<float>(c));
      CHECK(std::abs(got[c * kRows + r] - truth) <= 4e-6f * std::abs(truth));
    }
  }
}

TEST_CASE("libcu++'s atomics, latch, semaphore and clock work together", "[ci]") {
  KernelBench bench("libcudacxx.cu");
  const Pointer counts = bench.zeros<int>("counts", 4), sum = bench.zeros<float>("sum", 1),
                ticks = bench.zeros<std::uint64_t>("ticks", 1);
  bench.run_checked("atomics", {{3}, {40}},
                    {Argument::pointer(counts), Argument::pointer(sum), Argument::pointer(ticks)});
  CHECK(first_difference(bench.get<int>(counts, 4), {3 * 40 * 39 / 2, 49, 3 * 3 * 40, 3 * 40}) ==
        -1);
  CHECK(bench.get<float>(sum, 1)[0] == 60);
  CHECK(bench.get<std::uint64_t>(ticks, 1)[0] == 1);
}

}  // namespace warpbook::tests::libcudacxx_test
