// Kernels of the kind that public samples show agree with plain loops, with every checker on.
#include <algorithm>
#include <array>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <complex>
#include <map>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::samples_test {

using namespace warpbook::device;

TEST_CASE("A radix sort by ballots sorts") {
  KernelBench bench("samples.cu");
  const int n = GENERATE(1, 95, 160);
  auto keys = numbers<std::uint32_t>(static_cast<std::size_t>(n), 0, 0xfffffffe);
  const Pointer held = bench.put("keys", keys);
  bench.run_checked("sort_radix", {{1}, {160}, 640}, {Argument::pointer(held), Argument::of(n)});
  std::sort(keys.begin(), keys.end());
  CHECK(first_difference(bench.get<std::uint32_t>(held, keys.size()), keys) == -1);
}

TEST_CASE("Bodies pull one another alike whichever tile they stand in") {
  KernelBench bench("samples.cu");
  constexpr std::size_t n = 75;
  const auto bodies = numbers<float>(4 * n, 0, 1);
  const Pointer pull = bench.space<float>("pull", 3 * n);
  bench.run_checked(
      "gravity", {{3}, {32}, 512},
      {Argument::pointer(bench.put("bodies", bodies)), Argument::pointer(pull), Argument::of(75)});
  const auto got = bench.get<float>(pull, 3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum[3] = {};
    for (std::size_t k = 0; k < n; ++k) {
      double d[3], square = 0.01;
      for (std::size_t c = 0; c < 3; ++c) {
        d[c] = double{bodies[4 * k + c]} - bodies[4 * i + c];
        square += d[c] * d[c];
      }
      for (std::size_t c = 0; c < 3; ++c)
        sum[c] += bodies[4 * k + 3] * d[c] / std::pow(square, 1.5);
    }
    for (std::size_t c = 0; c < 3; ++c) CHECK(std::abs(got[3 * i + c] - sum[c]) < 1e-3);
  }
}

TEST_CASE("A hash table counts every word once, however they collide") {
  KernelBench bench("samples.cu");
  constexpr std::size_t n = 501, slots = 61;
  const auto words = numbers<std::uint32_t>(n, 1, 50);
  const Pointer keys = bench.zeros<std::uint32_t>("keys", slots),
                counts = bench.zeros<std::uint32_t>("counts", slots);
  bench.run_checked(
      "count_words", {{6}, {96}},
      {Argument::pointer(bench.put("words", words)), Argument::of(501), Argument::pointer(keys),
       Argument::pointer(counts), Argument::of(std::uint32_t{slots})});
  std::map<std::uint32_t, std::uint32_t> expected, got;
  for (const std::uint32_t w : words) ++expected[w];
  const auto k = bench.get<std::uint32_t>(keys, slots), c = bench.get<std::uint32_t>(counts, slots);
  for (std::size_t i = 0; i < slots; ++i)
    if (k[i]) got[k[i]] += c[i];
  CHECK(got == expected);
}

TEST_CASE("Compaction keeps what it should, in order") {
  KernelBench bench("samples.cu");
  const int n = GENERATE(1, 300, 1001);
  const auto x = numbers<int>(static_cast<std::size_t>(n), -5, 5);
  std::vector<int> expected;
  for (const int v : x)
    if (v > 0) expected.push_back(v);
  const Pointer y = bench.space<int>("y", x.size()), count = bench.space<int>("count", 1);
  bench.run_checked("compact", {{1}, {96}},
                    {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
                     Argument::pointer(count), Argument::of(n)});
  REQUIRE(bench.get<int>(count, 1)[0] == static_cast<int>(expected.size()));
  CHECK(first_difference(bench.get<int>(y, expected.size()), expected) == -1);
}

TEST_CASE("A sparse matrix times a vector is right by threads and by warps") {
  KernelBench bench("samples.cu");
  constexpr std::size_t kRows = 53, kColumns = 71;
  const auto lengths = numbers<int>(kRows, 0, 60);
  std::vector<int> begin{0};
  for (const int l : lengths) begin.push_back(begin.back() + l);
  const auto all = static_cast<std::size_t>(begin.back());
  const auto column = numbers<int>(all, 0, kColumns - 1, 2);
  const auto value = numbers<float>(all, -1, 1, 3), x = numbers<float>(kColumns, -1, 1, 4);
  const Pointer y = bench.space<float>("y", kRows);
  const std::vector<Argument> arguments{Argument::pointer(bench.put("begin", begin)),
                                        Argument::pointer(bench.put("column", column)),
                                        Argument::pointer(bench.put("value", value)),
                                        Argument::pointer(bench.put("x", x)),
                                        Argument::pointer(y),
                                        Argument::of(53)};
  for (const char* kernel : {"sparse_scalar", "sparse_vector"}) {
    CAPTURE(kernel);
    bench.run_checked(kernel, {{kernel[7] == 's' ? 2u : 18u}, {96}}, arguments);
    const auto got = bench.get<float>(y, kRows);
    for (std::size_t r = 0; r < kRows; ++r) {
      double sum = 0;
      for (auto k = static_cast<std::size_t>(begin[r]); k < static_cast<std::size_t>(begin[r + 1]);
           ++k)
        sum += double{value[k]} * x[static_cast<std::size_t>(column[k])];
      CHECK(std::abs(got[r] - sum) < 1e-5);
    }
  }
}

TEST_CASE("A Fourier transform of 256 points agrees with its definition") {
  KernelBench bench("samples.cu");
  const auto x = numbers<float>(512, -1, 1);
  const Pointer y = bench.space<float>("y", 512);
  bench.run_checked("fourier", {{1}, {128}},
                    {Argument::pointer(bench.put("x", x)), Argument::pointer(y)});
  const auto got = bench.get<float>(y, 512);
  for (std::size_t k = 0; k < 256; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < 256; ++i)
      sum += std::complex<double>(x[2 * i], x[2 * i + 1]) *
             std::polar(1.0, -2 * 3.14159265358979 * static_cast<double>(k * i % 256) / 256);
    CHECK(std::abs(std::complex<double>(got[2 * k], got[2 * k + 1]) - sum) < 1e-4);
  }
}

TEST_CASE("Alignment along anti-diagonals finds the best score") {
  KernelBench bench("samples.cu");
  constexpr int na = 43, nb = 57;
  const auto a = numbers<std::uint8_t>(na, 'a', 'd'), b = numbers<std::uint8_t>(nb, 'a', 'd', 2);
  std::array<std::array<int, nb + 1>, na + 1> score{};
  int best = 0;
  for (std::size_t i = 1; i <= na; ++i) {
    for (std::size_t j = 1; j <= nb; ++j) {
      score[i][j] = std::max({0, score[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3 : -3),
                              score[i - 1][j] - 2, score[i][j - 1] - 2});
      best = std::max(best, score[i][j]);
    }
  }
  const Pointer out = bench.space<int>("best", 1);
  bench.run_checked("align", {{1}, {33}, 4 * (3 * (na + 1) + 1)},
                    {Argument::pointer(bench.put("a", a)), Argument::pointer(bench.put("b", b)),
                     Argument::of(na), Argument::of(nb), Argument::pointer(out)});
  CHECK(bench.get<int>(out, 1)[0] == best);
}

TEST_CASE("Check sums come by a table that a kernel made, in constant memory") {
  KernelBench bench("samples.cu");
  const Pointer table = bench.space<std::uint32_t>("table", 256);
  bench.run_checked("make_crc_table", {{1}, {256}}, {Argument::pointer(table)});
  REQUIRE(bench.device().copy(bench.symbol("crc_table"), table, 1024).wait());
  constexpr std::size_t n = 37, bytes = 29;
  auto messages = numbers<std::uint8_t>(n * bytes, 0, 255);
  const std::string known = "123456789";
  const Pointer sums = bench.space<std::uint32_t>("sums", n);
  bench.run_checked("crc", {{2}, {24}},
                    {Argument::pointer(bench.put("messages", messages)), Argument::of(29),
                     Argument::pointer(sums), Argument::of(37)});
  std::vector<std::uint32_t> expected;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t c = ~0u;
    for (std::size_t k = 0; k < bytes; ++k) {
      c ^= messages[i * bytes + k];
      for (int b = 0; b < 8; ++b) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    expected.push_back(~c);
  }
  CHECK(first_difference(bench.get<std::uint32_t>(sums, n), expected) == -1);
  // The value that every description of CRC-32 gives.
  bench.run_checked(
      "crc", {{1}, {1}},
      {Argument::pointer(bench.put("known", std::vector<std::uint8_t>(known.begin(), known.end()))),
       Argument::of(9), Argument::pointer(sums), Argument::of(1)});
  CHECK(bench.get<std::uint32_t>(sums, 1)[0] == 0xcbf43926);
}

TEST_CASE("Generations of Conway's game follow one another") {
  KernelBench bench("samples.cu");
  constexpr int kWidth = 37, kHeight = 21;
  auto now = numbers<std::uint8_t>(kWidth * kHeight, 0, 1);
  Pointer a = bench.put("a", now), b = bench.space<std::uint8_t>("b", now.size());
  for (int generation = 0; generation < 3; ++generation) {
    bench.run_checked(
        "live", {{3, 3}, {16, 9}},
        {Argument::pointer(a), Argument::pointer(b), Argument::of(kWidth), Argument::of(kHeight)});
    std::swap(a, b);
    std::vector<std::uint8_t> next(now.size());
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        int around = 0;
        for (int k = 0; k < 9; ++k)
          if (k != 4)
            around += now[static_cast<std::size_t>((y + k / 3 + kHeight - 1) % kHeight * kWidth +
                                                   (x + k % 3 + kWidth - 1) % kWidth)];
        const auto at = static_cast<std::size_t>(y * kWidth + x);
        next[at] = around == 3 || (around == 2 && now[at]);
      }
    }
    now = next;
  }
  CHECK(first_difference(bench.get<std::uint8_t>(a, now.size()), now) == -1);
}

TEST_CASE("A batch of small matrices is factored by Cholesky") {
  KernelBench bench("samples.cu");
  const int n = GENERATE(1, 13, 80);  // the last asks for more than 48 KiB of shared memory
  CAPTURE(n);
  constexpr std::size_t kBatch = 2;
  const auto size = static_cast<std::size_t>(n);
  const auto seed = numbers<double>(kBatch * size * size, -1, 1);
  std::vector<double> matrices(seed.size());
  for (std::size_t b = 0; b < kBatch; ++b) {
    const double* s = &seed[b * size * size];
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c < size; ++c) {
        double sum = r == c ? 1 : 0;
        for (std::size_t k = 0; k < size; ++k) sum += s[r * size + k] * s[c * size + k];
        matrices[(b * size + r) * size + c] = sum;
      }
  }
  const Pointer held = bench.put("matrices", matrices);
  bench.run_checked("cholesky", {{kBatch}, {96}, static_cast<std::uint32_t>(8 * n * n)},
                    {Argument::pointer(held), Argument::of(n)});
  const auto lower = bench.get<double>(held, matrices.size());
  double most = 0;
  for (std::size_t b = 0; b < kBatch; ++b)
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c < size; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < size; ++k)
          sum += lower[(b * size + r) * size + k] * lower[(b * size + c) * size + k];
        most = std::max(most, std::abs(sum - matrices[(b * size + r) * size + c]));
      }
  CHECK(most < 1e-11);
}

TEST_CASE("Options cost what Black and Scholes say") {
  KernelBench bench("samples.cu");
  constexpr std::size_t n = 203;
  const auto price = numbers<float>(n, 5, 30), strike = numbers<float>(n, 1, 100, 2),
             years = numbers<float>(n, 0.25f, 10, 3);
  const Pointer call = bench.space<float>("call", n), put = bench.space<float>("put", n);
  bench.run_checked(
      "black_scholes", {{3}, {80}},
      {Argument::pointer(bench.put("price", price)), Argument::pointer(bench.put("strike", strike)),
       Argument::pointer(bench.put("years", years)), Argument::pointer(call),
       Argument::pointer(put), Argument::of(203)});
  const auto c = bench.get<float>(call, n), p = bench.get<float>(put, n);
  const auto below = [](double v) { return std::erfc(-v / std::sqrt(2.0)) / 2; };
  for (std::size_t i = 0; i < n; ++i) {
    const double root = std::sqrt(double{years[i]}), later = strike[i] * std::exp(-0.02 * years[i]);
    const double d1 = (std::log(double{price[i]} / strike[i]) + (0.02 + 0.045) * years[i]) /
                      (0.3 * root),
                 d2 = d1 - 0.3 * root;
    CHECK(std::abs(c[i] - (price[i] * below(d1) - later * below(d2))) < 1e-4);
    CHECK(std::abs(p[i] - (later * below(-d2) - price[i] * below(-d1))) < 1e-4);
  }
}

}  // namespace warpbook::tests::samples_test
