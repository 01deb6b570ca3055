// CUB's primitives of warps and blocks give what plain loops give, and raise nothing.
#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <numeric>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::cub_test {

using namespace warpbook::device;

namespace {
constexpr int kThreads = 96;
}

TEST_CASE("CUB reduces a block in each of its ways", "[ci]") {
  KernelBench bench("cub.cu");
  constexpr int kCount = 4 * kThreads + 17;
  const auto check = [&]<class T>(const std::string& kernel, T least) {
    const auto x = numbers<T>(kCount, least, T(1000));
    const Pointer y = bench.space<T>("y", 15);
    bench.run_checked(
        kernel, {{5}, {kThreads}},
        {Argument::pointer(bench.put("x", x)), Argument::pointer(y), Argument::of(kCount)});
    const auto got = bench.get<T>(y, 15);
    for (std::size_t b = 0; b < 5; ++b) {
      const auto begin = x.begin() + static_cast<std::ptrdiff_t>(b * kThreads);
      const auto end = std::min(begin + kThreads, x.end());
      CAPTURE(kernel, b);
      const T sum = std::accumulate(begin, end, T(0)), most = *std::max_element(begin, end);
      if constexpr (std::is_integral_v<T>)
        CHECK(got[3 * b] == sum);
      else
        CHECK(std::abs(got[3 * b] - sum) < 1e-9);
      CHECK(got[3 * b + 1] == (end - begin < kThreads ? std::max(most, T(0)) : most));
      CHECK(got[3 * b + 2] == most);
    }
  };
  check("reduce<int, 0>", -1000);
  check("reduce<int, 1>", -1000);
  check("reduce<int, 2>", -1000);
  check("reduce<double, 1>", -1000.0);
}

TEST_CASE("CUB loads, scans and stores a tile in each of its ways", "[ci]") {
  KernelBench bench("cub.cu");
  const int n = GENERATE(5 * kThreads, 5 * kThreads - 7, 1);
  const auto x = numbers<int>(static_cast<std::size_t>(n), 0, 1000);
  std::vector<int> expected(x.size());
  std::exclusive_scan(x.begin(), x.end(), expected.begin(), 0);
  for (std::size_t i = 0; i < x.size(); ++i)
    expected.push_back(
        *std::max_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(i) + 1));
  for (int way = 0; way < 4; ++way) {
    CAPTURE(n, way);
    const Pointer y = bench.space<int>("y", expected.size()), total = bench.space<int>("total", 1);
    bench.run_checked("scan<" + std::to_string(way) + ">", {{1}, {kThreads}},
                      {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
                       Argument::pointer(total), Argument::of(n)});
    CHECK(first_difference(bench.get<int>(y, expected.size()), expected) == -1);
    CHECK(bench.get<int>(total, 1)[0] == std::accumulate(x.begin(), x.end(), 0));
  }
}

TEST_CASE("CUB's radix sort orders keys with their values, stably and by some bits alone", "[ci]") {
  KernelBench bench("cub.cu");
  constexpr std::size_t kCount = 3 * kThreads;
  const auto check = [&]<class Key, class Value>(const std::string& kernel, std::vector<Key> keys,
                                                 Value, bool down, int first, int last) {
    std::vector<Value> values(kCount);
    for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<Value>(i);
    const Pointer k = bench.put("keys", keys), v = bench.put("values", values);
    bench.run_checked(kernel, {{1}, {kThreads}},
                      {Argument::pointer(k), Argument::pointer(v), Argument::of(std::uint8_t{down}),
                       Argument::of(first), Argument::of(last)});
    const auto digit = [&](Key key) {
      if constexpr (std::is_unsigned_v<Key>)
        return key >> first & ((std::uint64_t{1} << (last - first)) - 1);
      else
        return key;
    };
    std::stable_sort(values.begin(), values.end(), [&](Value a, Value b) {
      const Key ka = keys[static_cast<std::size_t>(a)], kb = keys[static_cast<std::size_t>(b)];
      return down ? digit(kb) < digit(ka) : digit(ka) < digit(kb);
    });
    std::vector<Key> sorted(kCount);
    for (std::size_t i = 0; i < kCount; ++i) sorted[i] = keys[static_cast<std::size_t>(values[i])];
    CAPTURE(kernel, down);
    CHECK(first_difference(bench.get<Key>(k, kCount), sorted) == -1);
    CHECK(first_difference(bench.get<Value>(v, kCount), values) == -1);
  };
  for (const bool down : {false, true}) {
    check("sort<unsigned int, int>", numbers<std::uint32_t>(kCount, 0, 4000000000u), 0, down, 0,
          32);
    check("sort<unsigned int, int>", numbers<std::uint32_t>(kCount, 0, 4000000000u), 0, down, 5,
          14);
    check("sort<float, int>", numbers<float>(kCount, -9, 9), 0, down, 0, 32);
    check("sort<long long, short>", numbers<std::int64_t>(kCount, -50, 50), std::int16_t{0}, down,
          0, 64);
  }
  constexpr int kFew = 171;
  auto keys = numbers<int>(kFew, -99, 99);
  const Pointer held = bench.put("keys", keys);
  bench.run_checked("merge_sort", {{1}, {64}}, {Argument::pointer(held), Argument::of(kFew)});
  std::sort(keys.begin(), keys.end());
  CHECK(first_difference(bench.get<int>(held, kFew), keys) == -1);
}

TEST_CASE("CUB counts bins by atomics and by sorting", "[ci]") {
  KernelBench bench("cub.cu");
  const auto x = numbers<std::uint8_t>(4 * kThreads, 0, 63);
  std::vector<std::uint32_t> expected(64);
  for (const std::uint8_t v : x) ++expected[v];
  for (const char* kernel : {"histogram<false>", "histogram<true>"}) {
    CAPTURE(kernel);
    const Pointer bins = bench.space<std::uint32_t>("bins", 64);
    bench.run_checked(kernel, {{1}, {kThreads}},
                      {Argument::pointer(bench.put("x", x)), Argument::pointer(bins)});
    CHECK(first_difference(bench.get<std::uint32_t>(bins, 64), expected) == -1);
  }
}

TEST_CASE("CUB compares neighbours, rotates and exchanges", "[ci]") {
  KernelBench bench("cub.cu");
  constexpr std::size_t n = 2 * kThreads;
  const auto x = numbers<int>(n, 0, 40);
  const Pointer y = bench.space<int>("y", 4 * n - kThreads);
  bench.run_checked("neighbours", {{1}, {kThreads}},
                    {Argument::pointer(bench.put("x", x)), Argument::pointer(y)});
  std::vector<int> expected;
  for (std::size_t i = 0; i < n; ++i) expected.push_back(i ? x[i] - x[i - 1] : x[0]);
  for (std::size_t i = 0; i < n; ++i) expected.push_back(i == 0 || x[i] / 8 != x[i - 1] / 8);
  for (std::size_t t = 0; t < kThreads; ++t) expected.push_back(x[2 * ((t + 5) % kThreads)]);
  for (std::size_t t = 0; t < kThreads; ++t) {
    expected.push_back(x[t]);
    expected.push_back(x[t + kThreads]);
  }
  CHECK(first_difference(bench.get<int>(y, expected.size()), expected) == -1);
}

TEST_CASE("CUB reduces, scans and sorts in warps of any width", "[ci]") {
  KernelBench bench("cub.cu");
  const auto x = numbers<int>(kThreads, -50, 99);
  for (const int width : {32, 8}) {
    CAPTURE(width);
    const Pointer y = bench.space<int>("y", 6 * kThreads);
    bench.run_checked("warps<" + std::to_string(width) + ">", {{1}, {kThreads}},
                      {Argument::pointer(bench.put("x", x)), Argument::pointer(y)});
    std::vector<int> expected(6 * kThreads);
    for (int from = 0; from < kThreads; from += width) {
      std::vector<int> keys;
      int before = 0;
      for (int t = from; t < from + width; ++t) {
        const int v = x[static_cast<std::size_t>(t)];
        expected[static_cast<std::size_t>(6 * t + 2)] = before;
        before += v;
        keys.push_back(v);
        keys.push_back(v ^ 21);
        if (t == from || t % 5 == 0) {
          int run = 0;
          for (int u = t; u < from + width && (u == t || u % 5 != 0); ++u)
            run += x[static_cast<std::size_t>(u)];
          expected[static_cast<std::size_t>(6 * t + 1)] = run;
        }
      }
      expected[static_cast<std::size_t>(6 * from)] = before;
      std::sort(keys.begin(), keys.end());
      for (int t = 0; t < width; ++t) {
        const auto at = static_cast<std::size_t>(6 * (from + t));
        expected[at + 3] = before;
        expected[at + 4] = keys[static_cast<std::size_t>(2 * t)];
        expected[at + 5] = keys[static_cast<std::size_t>(2 * t + 1)];
      }
    }
    CHECK(first_difference(bench.get<int>(y, expected.size()), expected) == -1);
  }
}

TEST_CASE("CUB writes runs out again", "[ci]") {
  KernelBench bench("cub.cu");
  const auto values = numbers<int>(kThreads, 0, 999), lengths = numbers<int>(kThreads, 1, 9, 2);
  std::vector<int> expected;
  for (std::size_t i = 0; i < kThreads; ++i)
    expected.insert(expected.end(), static_cast<std::size_t>(lengths[i]), values[i]);
  const Pointer y = bench.space<int>("y", expected.size());
  bench.run_checked("decode_runs", {{1}, {kThreads}},
                    {Argument::pointer(bench.put("values", values)),
                     Argument::pointer(bench.put("lengths", lengths)), Argument::pointer(y)});
  CHECK(first_difference(bench.get<int>(y, expected.size()), expected) == -1);
}

}  // namespace warpbook::tests::cub_test
