// Conversions to and from fp8, fp6 and fp4 are exact, by instructions and by NVIDIA's code for older targets alike.
#include <bit>
#include <catch2/generators/catch_generators.hpp>

#include "tests/device/kernels/kernel_bench.hpp"
#include "tests/device/kernels/narrow_float.hpp"

namespace warpbook::tests::narrow_floats_test {

using namespace warpbook::device;

TEST_CASE("Every fp8, fp6 and fp4 number becomes the half of the same value", "[ci]") {
  const int architecture = GENERATE(75, 89, 90);
  KernelBench bench("narrow_floats.cu", true, architecture);
  const Pointer y = bench.space<std::uint16_t>("y", 7 * 256);
  bench.run_checked("widen", {{1}, {256}}, {Argument::pointer(y)});
  const auto got = bench.get<std::uint16_t>(y, 7 * 256);
  const auto check = [&](std::size_t row, const NarrowFormat& format, std::uint32_t codes,
                         std::uint32_t flip) {
    for (std::uint32_t x = 0; x < 256; ++x) {
      const double truth = format.value((x ^ flip) & codes),
                   value = kHalf.value(got[256 * row + x]);
      CAPTURE(architecture, row, x);
      if (std::isnan(truth))
        CHECK(std::isnan(value));
      else
        CHECK((value == truth && std::signbit(value) == std::signbit(truth)));
    }
  };
  check(0, kE4M3, 255, 0);
  check(1, kE5M2, 255, 0);
  check(2, kE2M3, 63, 0);
  check(3, kE3M2, 63, 0);
  check(4, kE2M1, 15, 0);
  check(5, kE4M3, 255, 0);
  check(6, kE4M3, 255, 85);
}

TEST_CASE("Numbers are rounded to fp8, fp6 and fp4 once, to nearest, and stop where asked",
          "[ci]") {
  const int architecture = GENERATE(75, 89, 90);
  KernelBench bench("narrow_floats.cu", true, architecture);
  std::vector<double> x = {
      0,       -0.0,    INFINITY,        -INFINITY, NAN,   448,  464,    463.9,  464.1,   480,
      -448,    57344,   61440,           61439,     65536, 1e30, -1e300, 0x1p-9, 0x1p-10, 0x1.8p-10,
      0x1p-16, 0x1p-17, 0x1.0000001p-17, 1e-40,     7.5,   7.75, 28,     30,     6,       7};
  for (const double v : numbers<double>(150, -8, 8)) x.push_back(v);
  for (const double v : numbers<double>(150, -500, 500, 2)) x.push_back(v);
  for (const float v : numbers<float>(150, -70000, 70000, 3)) x.push_back(v);
  // Halfway between neighbours, and next to it.
  for (std::uint32_t k = 0; k < 0x7b; ++k) {
    const double middle = (kE5M2.value(k) + kE5M2.value(k + 1)) / 2;
    for (const double v : {middle, std::nextafter(middle, 0), std::nextafter(middle, 1e9)})
      x.push_back(v);
  }
  const std::size_t n = x.size();
  const Pointer y = bench.space<std::uint8_t>("y", 26 * n);
  bench.run_checked("narrow", {{static_cast<std::uint32_t>(n + 63) / 64}, {64}},
                    {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
                     Argument::of(static_cast<int>(n))});
  const auto got = bench.get<std::uint8_t>(y, 26 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const double d = x[i], f = static_cast<double>(static_cast<float>(d));
    const double h = kHalf.value(kHalf.round(d)), b = kBrain.value(kBrain.round(d));
    std::vector<std::uint32_t> row;
    for (const NarrowFormat* format : {&kE4M3, &kE5M2}) {
      for (const double v : {d, f, h, b}) {
        for (const bool saturate : {true, false})
          row.push_back(format->round(v, Rounding::nearest, saturate));
      }
      row.push_back(format->round(f, Rounding::nearest, true));
      row.push_back(format->round(-f, Rounding::nearest, true));
    }
    row.push_back(kE2M3.round(f, Rounding::nearest, true));
    row.push_back(kE3M2.round(d, Rounding::nearest, true));
    row.push_back(kE2M1.round(f, Rounding::nearest, true));
    row.push_back(kE4M3.round(f, Rounding::nearest, true));
    row.push_back(kE5M2.round(d, Rounding::nearest, true));
    row.push_back(kE4M3.value(kE4M3.round(f, Rounding::nearest, true)) == f);
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (got[k * n + i] == row[k]) continue;
      // Any NaN will do: the header has another one for doubles.
      if (std::isnan(d) && k < 20 && std::isnan((k < 10 ? kE4M3 : kE5M2).value(got[k * n + i])))
        continue;
      if (std::isnan(d) && k == 24 && std::isnan(kE5M2.value(got[k * n + i]))) continue;
      CAPTURE(architecture, k, d, +got[k * n + i], row[k]);
      CHECK(got[k * n + i] == row[k]);
    }
  }
}

}  // namespace warpbook::tests::narrow_floats_test
