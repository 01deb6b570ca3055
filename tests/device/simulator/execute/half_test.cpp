// Half and bfloat16 against rounding by exhaustive search over the format's values.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tests/device/simulator/execute/operation_bench.hpp"

namespace warpbook::device::tests::half_test {
namespace {

using V = const std::vector<Word64>&;

struct Format {
  int exponent_bits, fraction_bits;
};
constexpr Format kHalf{5, 10}, kBrain{8, 7};

/// The value of a format's bits, from the definition.
long double value(Format f, Word64 h) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const auto e = static_cast<int>(h >> f.fraction_bits) & ((1 << f.exponent_bits) - 1);
  const long double m = static_cast<long double>(h & ((1u << f.fraction_bits) - 1)) /
                        static_cast<long double>(1 << f.fraction_bits);
  const long double s = h & 0x8000 ? -1 : 1;
  if (e == (1 << f.exponent_bits) - 1) return m == 0 ? s * HUGE_VALL : NAN;
  return e == 0 ? s * std::ldexp(m, 1 - bias) : s * std::ldexp(1 + m, e - bias);
}

/// The nearest of all 2^15 magnitudes, ties to the even one.
Word64 round_to(Format f, long double x) {
  if (std::isnan(x)) return 0x7fff;
  const Word64 sign = std::signbit(x) ? 0x8000 : 0;
  x = std::fabs(x);
  Word64 low = 0, high = ((Word64{1} << f.exponent_bits) - 1) << f.fraction_bits;  // infinity
  while (low + 1 < high) {
    const Word64 middle = (low + high) / 2;
    (value(f, middle) <= x ? low : high) = middle;
  }
  if (std::isinf(x)) return sign | high;
  // The bit pattern after the greatest number is infinity's.
  const long double above =
      std::isinf(value(f, high)) ? 2 * value(f, high - 1) - value(f, high - 2) : value(f, high);
  const long double down = x - value(f, low), up = above - x;
  return sign | (down < up || (down == up && low % 2 == 0) ? low : high);
}

}  // namespace

TEST_CASE("ex2 and tanh of narrow types stay within the documented error, and deviate where asked",
          "[device]") {
  // PTX ISA 9.0, 9.7.4.9 and 9.7.4.10.
  struct Function {
    const char* instruction;
    Format format;
    double (*truth)(double);
    double absolute, relative;
  };
  const Function functions[] = {{"ex2.approx.f16", kHalf, std::exp2, 0, std::exp2(-9.9)},
                                {"ex2.approx.ftz.bf16", kBrain, std::exp2, 0, 0x1p-7},
                                {"tanh.approx.f16", kHalf, std::tanh, std::exp2(-10.987), 0},
                                {"tanh.approx.bf16", kBrain, std::tanh, 0x1p-8, 0}};
  std::vector<std::uint16_t> x(1u << 16);
  std::iota(x.begin(), x.end(), std::uint16_t{0});
  for (const Function& f : functions) {
    CAPTURE(f.instruction);
    PtxBench bench(fmt::format(
        ".visible .entry k(.param .u64 x, .param .u64 y) {{\n.reg .b16 %a; .reg .b32 %i, %n, %b; "
        ".reg .b64 %x, %y;\nld.param.u64 %x, [x]; ld.param.u64 %y, [y];\n"
        "mov.u32 %i, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %b, %ctaid.x; mad.lo.u32 %i, %b, %n, %i;"
        "\nmad.wide.u32 %x, %i, 2, %x; mad.wide.u32 %y, %i, 2, %y;\n"
        "ld.global.b16 %a, [%x];\n{} %a, %a;\nst.global.b16 [%y], %a;\nret;\n}}\n",
        f.instruction));
    const Pointer in = bench.buffer("x", x);
    const auto results = [&](bool perturb) {
      bench.request.perturb_approximations = perturb;
      const Pointer out = bench.buffer("y", std::vector<std::uint16_t>(x.size()));
      bench.good({64, 1, 1}, {1024, 1, 1}, in, out);
      return bench.read<std::uint16_t>(out, x.size());
    };
    const std::vector<std::uint16_t> rounded = results(false), moved = results(true);
    std::size_t finite = 0, apart = 0, too_far = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto value_of = [&](std::uint16_t bits) {
        return static_cast<double>(value(f.format, bits));
      };
      const double truth = f.truth(value_of(x[i]));
      // Below the smallest normal number a relative error says nothing.
      if (!std::isfinite(truth) || !std::isfinite(value_of(rounded[i])) ||
          (f.relative != 0 && truth < 0x1p-14))
        continue;
      ++finite;
      apart += moved[i] != rounded[i] ? 1 : 0;
      for (const std::uint16_t result : {rounded[i], moved[i]}) {
        const double off = std::fabs(value_of(result) - truth);
        too_far += off <= f.absolute + f.relative * truth ? 0 : 1;
      }
    }
    CHECK(too_far == 0);
    // Of the others nearly all are so small or so large that the result is exact.
    CHECK(apart > finite / 20);
    CHECK(results(true) == moved);
  }
}

TEST_CASE("half and bfloat16 arithmetic rounds once", "[device]") {
  for (const auto& [name, f] :
       {std::pair{std::string("f16"), kHalf}, std::pair{std::string("bf16"), kBrain}}) {
    const Format format = f;
    check_operation({"add.rn." + name + " %d, %a, %b;", "b16", {"b16", "b16"}}, [=](V o) {
      return round_to(format, value(format, o[0]) + value(format, o[1]));
    });
    check_operation({"mul.rn." + name + " %d, %a, %b;", "b16", {"b16", "b16"}}, [=](V o) {
      return round_to(format, value(format, o[0]) * value(format, o[1]));
    });
    // A long double holds a half's product and sum exactly; bfloat16's exponents reach too far apart for that.
    if (name == "f16") {
      check_operation({"fma.rn.f16 %d, %a, %b, %c;", "b16", {"b16", "b16", "b16"}}, [=](V o) {
        return round_to(kHalf, value(kHalf, o[0]) * value(kHalf, o[1]) + value(kHalf, o[2]));
      });
      check_operation({"sub.f16x2 %d, %a, %b;", "b32", {"b32", "b32"}}, [](V o) {
        const auto one = [&](int shift) {
          return round_to(
              kHalf, value(kHalf, o[0] >> shift & 0xffff) - value(kHalf, o[1] >> shift & 0xffff));
        };
        return one(0) | one(16) << 16;
      });
    }
    check_operation({"cvt.rn." + name + ".f32 %d, %a;", "b16", {"f32"}}, [=](V o) {
      return round_to(format, std::bit_cast<float>(static_cast<std::uint32_t>(o[0])));
    });
  }
  check_operation({"cvt.f32.f16 %d, %a;", "f32", {"b16"}}, [](V o) -> Word64 {
    const auto v = static_cast<float>(value(kHalf, o[0]));
    return std::isnan(v) ? 0x7fffffff : std::bit_cast<std::uint32_t>(v);
  });
  check_operation({"cvt.rn.f16x2.f32 %d, %a, %b;", "b32", {"f32", "f32"}}, [](V o) {
    const auto one = [](Word64 v) {
      return round_to(kHalf, std::bit_cast<float>(static_cast<std::uint32_t>(v)));
    };
    return one(o[0]) << 16 | one(o[1]);
  });
}

}  // namespace warpbook::device::tests::half_test
