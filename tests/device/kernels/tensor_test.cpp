// Products on tensor cores agree with three nested loops, at odd sizes and in every type. All values are whole numbers so
// small that every sum is exact: what differs is a wrong place, not a rounding.
#include <bit>
#include <catch2/generators/catch_generators.hpp>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::tensor_test {

using namespace warpbook::device;

namespace {

std::uint16_t half_bits(int v) {
  // Whole numbers up to 2048 are halves: shift the leading one to its place.
  if (v == 0) return 0;
  const auto magnitude = static_cast<std::uint32_t>(v < 0 ? -v : v);
  const int e = std::bit_width(magnitude) - 1;
  return static_cast<std::uint16_t>((v < 0 ? 0x8000u : 0u) |
                                    static_cast<std::uint32_t>(15 + e) << 10 |
                                    (magnitude << (10 - e) & 0x3ff));
}
std::uint16_t brain_bits(int v) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(v)) >> 16);
}

template <class T, class F>
std::vector<T> converted(const std::vector<int>& from, F&& f) {
  std::vector<T> to;
  for (const int v : from) to.push_back(static_cast<T>(f(v)));
  return to;
}

struct Product {
  int m, n, k;
  std::vector<int> a, b, c, d;
};

/// d = alpha a b + beta c by rows.
Product product(int m, int n, int k, int least, int most, int alpha, int beta) {
  Product p{m, n, k, {}, {}, {}, {}};
  const auto size = [](int x, int y) {
    return static_cast<std::size_t>(x) * static_cast<std::size_t>(y);
  };
  p.a = numbers(size(m, k), least, most, 1);
  p.b = numbers(size(k, n), least, most, 2);
  p.c = numbers(size(m, n), -9, 9, 3);
  p.d.resize(size(m, n));
  for (int y = 0; y < m; ++y) {
    for (int x = 0; x < n; ++x) {
      int sum = 0;
      for (int i = 0; i < k; ++i)
        sum += p.a[size(y, k) + static_cast<std::size_t>(i)] *
               p.b[size(i, n) + static_cast<std::size_t>(x)];
      const std::size_t at = size(y, n) + static_cast<std::size_t>(x);
      p.d[at] = alpha * sum + beta * p.c[at];
    }
  }
  return p;
}

std::uint32_t tiles(int n, int tile) { return static_cast<std::uint32_t>((n + tile - 1) / tile); }

/// Runs wmma_gemm<...> on what `multiplicand` and `sum` make of whole numbers.
template <class T, class Sum, class ToT, class ToSum>
void check_gemm(KernelBench& bench, const std::string& arguments, int tile_m, int tile_n,
                const Product& p, int alpha, int beta, ToT&& to_t, ToSum&& to_sum) {
  CAPTURE(arguments, p.m, p.n, p.k);
  const auto factor = [&](int v) {
    Argument given = Argument::of(static_cast<Sum>(to_sum(v)));
    if (sizeof(Sum) == 2) given.type = ElementType::f16;
    return given;
  };
  const Pointer c = bench.put("c", converted<Sum>(p.c, to_sum));
  bench.run("wmma_gemm<" + arguments + ">", {{tiles(p.n, tile_n), tiles(p.m, tile_m)}, {32}},
            {Argument::pointer(bench.put("a", converted<T>(p.a, to_t))),
             Argument::pointer(bench.put("b", converted<T>(p.b, to_t))), Argument::pointer(c),
             Argument::of(p.m), Argument::of(p.n), Argument::of(p.k), factor(alpha), factor(beta)});
  CHECK(first_difference(bench.get<Sum>(c, p.d.size()), converted<Sum>(p.d, to_sum)) == -1);
}

}  // namespace

TEST_CASE("wmma products of every type agree with three loops") {
  KernelBench bench("tensor.cu");
  const auto [m, n, k] =
      GENERATE(table<int, int, int>({{1, 1, 1}, {16, 16, 16}, {37, 45, 53}, {64, 24, 100}}));
  const auto same = [](int v) { return v; };
  const auto as_float = [](int v) { return static_cast<float>(v); };
  const Product p = product(m, n, k, -4, 4, 2, -3);
  check_gemm<std::uint16_t, float>(bench, "__half, float, 16, 16, 16", 16, 16, p, 2, -3, half_bits,
                                   as_float);
  check_gemm<std::uint16_t, float>(bench, "__half, float, 32, 8, 16", 32, 8, p, 2, -3, half_bits,
                                   as_float);
  check_gemm<std::uint16_t, float>(bench, "__half, float, 8, 32, 16", 8, 32, p, 2, -3, half_bits,
                                   as_float);
  check_gemm<std::uint16_t, float>(bench, "__nv_bfloat16, float, 16, 16, 16", 16, 16, p, 2, -3,
                                   brain_bits, as_float);
  check_gemm<float, float>(bench, "nvcuda::wmma::precision::tf32, float, 16, 16, 8", 16, 16, p, 2,
                           -3, as_float, as_float);
  check_gemm<std::int8_t, int>(bench, "signed char, int, 16, 16, 16", 16, 16, p, 2, -3, same, same);
  check_gemm<double, double>(bench, "double, double, 8, 8, 4", 8, 8, p, 2, -3, same, same);
  const Product bytes = product(m, n, k, 0, 255, 1, 1);
  check_gemm<std::uint8_t, int>(bench, "unsigned char, int, 32, 8, 16", 32, 8, bytes, 1, 1, same,
                                same);
  const Product small = product(m, n, k, -1, 1, 1, 1);
  check_gemm<std::uint16_t, std::uint16_t>(bench, "__half, __half, 16, 16, 16", 16, 16, small, 1, 1,
                                           half_bits, half_bits);
}

TEST_CASE("wmma products of four-bit integers and of bits agree with plain loops") {
  KernelBench bench("tensor.cu");
  const int m = 24, n = 40, k = 256;
  const auto a = numbers<std::uint32_t>(static_cast<std::size_t>(m * k / 8), 0, 0xfffffffe, 1);
  const auto b = numbers<std::uint32_t>(static_cast<std::size_t>(n * k / 8), 0, 0xfffffffe, 2);
  const auto element = [&](const std::vector<std::uint32_t>& from, int line, int i, int bits) {
    const std::size_t at = static_cast<std::size_t>(line * k + i);
    const std::uint32_t v = from[at * static_cast<std::size_t>(bits) / 32] >>
                            (at * static_cast<std::size_t>(bits) % 32);
    return bits == 1 ? static_cast<int>(v & 1) : static_cast<int>((v & 15) ^ 8) - 8;
  };
  const Pointer pa = bench.put("a", a), pb = bench.put("b", b);
  const Pointer c = bench.space<int>("c", static_cast<std::size_t>(m * n));
  for (const std::string kernel : {"wmma_gemm_s4", "wmma_gemm_b1<false>", "wmma_gemm_b1<true>"}) {
    CAPTURE(kernel);
    bench.run(kernel, {{tiles(n, 8), tiles(m, 8)}, {32}},
              {Argument::pointer(pa), Argument::pointer(pb), Argument::pointer(c), Argument::of(n),
               Argument::of(k)});
    std::vector<int> want;
    for (int y = 0; y < m; ++y) {
      for (int x = 0; x < n; ++x) {
        int sum = 0;
        for (int i = 0; i < k; ++i) {
          const int bits = kernel == "wmma_gemm_s4" ? 4 : 1;
          const int l = element(a, y, i, bits), r = element(b, x, i, bits);
          sum += kernel == "wmma_gemm_b1<false>" ? l ^ r : l * r;
        }
        want.push_back(sum);
      }
    }
    CHECK(first_difference(bench.get<int>(c, want.size()), want) == -1);
  }
}

TEST_CASE("mma.sync products with ldmatrix agree with three loops, without a bank conflict") {
  KernelBench bench("tensor.cu");
  const auto [m, n, k] = GENERATE(table<int, int, int>({{1, 1, 1}, {32, 32, 32}, {50, 71, 93}}));
  CAPTURE(m, n, k);
  const Product p = product(m, n, k, -4, 4, 1, 0);
  const Pointer c = bench.space<float>("c", p.d.size());
  const auto record =
      bench.run("mma_gemm", {{tiles(n, 32), tiles(m, 32)}, {128}},
                {Argument::pointer(bench.put("a", converted<std::uint16_t>(p.a, half_bits))),
                 Argument::pointer(bench.put("b", converted<std::uint16_t>(p.b, half_bits))),
                 Argument::pointer(c), Argument::of(m), Argument::of(n), Argument::of(k)});
  CHECK(first_difference(bench.get<float>(c, p.d.size()),
                         converted<float>(p.d, [](int v) { return v; })) == -1);
  // Four warps, two steps of 16 and two tiles of eight columns in each part of 32.
  CHECK(record->total.tensor_operations ==
        std::uint64_t{tiles(m, 32)} * tiles(n, 32) * tiles(k, 32) * 16);
  for (const InstructionCounters& i : record->instructions) {
    if (i.text.find("ldmatrix") == std::string::npos) continue;
    CAPTURE(i.text);
    CHECK(i.counters.shared_wavefronts == i.counters.shared_wavefronts_ideal);
  }
}

TEST_CASE("mma.sync products of bytes agree with three loops") {
  KernelBench bench("tensor.cu");
  const Product p = product(48, 40, 96, -128, 127, 1, 0);
  std::vector<std::int8_t> by_columns;
  for (int x = 0; x < p.n; ++x) {
    for (int i = 0; i < p.k; ++i)
      by_columns.push_back(static_cast<std::int8_t>(p.b[static_cast<std::size_t>(i * p.n + x)]));
  }
  const Pointer c = bench.space<int>("c", p.d.size());
  bench.run(
      "mma_gemm_s8", {{tiles(p.n, 8), tiles(p.m, 16)}, {32}},
      {Argument::pointer(bench.put("a", converted<std::int8_t>(p.a, [](int v) { return v; }))),
       Argument::pointer(bench.put("b", by_columns)), Argument::pointer(c), Argument::of(p.n),
       Argument::of(p.k)});
  CHECK(first_difference(bench.get<int>(c, p.d.size()), p.d) == -1);
}

}  // namespace warpbook::tests::tensor_test
