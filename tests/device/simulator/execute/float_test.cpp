// Floating-point instructions against the host's arithmetic and exact rounding by hand.
#include <catch2/generators/catch_generators.hpp>

#include <cfenv>
#include <cmath>

#include "tests/device/simulator/execute/operation_bench.hpp"

namespace warpbook::device::tests::float_test {
namespace {

using V = const std::vector<Word64>&;

float f32(Word64 v) { return std::bit_cast<float>(static_cast<std::uint32_t>(v)); }
double f64(Word64 v) { return std::bit_cast<double>(v); }
Word64 bits(float v) { return std::isnan(v) ? 0x7fffffff : std::bit_cast<std::uint32_t>(v); }
Word64 bits(double v) { return std::bit_cast<Word64>(v); }
float flush(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }

/// f() in a rounding mode of the host, behind the compiler's back.
template <class F>
auto rounding(int mode, F f) {
  std::fesetround(mode);
  const auto r = f();
  std::fesetround(FE_TONEAREST);
  return r;
}

struct Mode {
  const char* name;
  int host;
};
constexpr Mode kModes[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

}  // namespace

TEST_CASE("single precision rounds once in every mode, and has one NaN", "[device]") {
  for (const Mode& mode : kModes) {
    const std::string m = mode.name;
    const auto binary = [&](const std::string& op, auto f) {
      check_operation({op + "." + m + ".f32 %d, %a, %b;", "f32", {"f32", "f32"}}, [=](V o) {
        volatile float a = f32(o[0]), b = f32(o[1]);
        return bits(rounding(mode.host, [&] {
          volatile float r = f(a, b);
          return static_cast<float>(r);
        }));
      });
    };
    binary("add", [](float a, float b) { return a + b; });
    binary("sub", [](float a, float b) { return a - b; });
    binary("mul", [](float a, float b) { return a * b; });
    binary("div", [](float a, float b) { return a / b; });
    check_operation({"fma." + m + ".f32 %d, %a, %b, %c;", "f32", {"f32", "f32", "f32"}}, [=](V o) {
      volatile float a = f32(o[0]), b = f32(o[1]), c = f32(o[2]);
      return bits(rounding(mode.host, [&] {
        volatile float r = std::fma(a, b, c);
        return static_cast<float>(r);
      }));
    });
    check_operation({"sqrt." + m + ".f32 %d, %a;", "f32", {"f32"}}, [=](V o) {
      volatile float a = f32(o[0]);
      return bits(rounding(mode.host, [&] {
        volatile float r = std::sqrt(a);
        return static_cast<float>(r);
      }));
    });
    check_operation({"rcp." + m + ".f32 %d, %a;", "f32", {"f32"}}, [=](V o) {
      volatile float a = f32(o[0]);
      return bits(rounding(mode.host, [&] {
        volatile float r = 1.0f / a;
        return static_cast<float>(r);
      }));
    });
  }
}

TEST_CASE("ftz flushes operands and results, sat clamps to [0, 1]", "[device]") {
  check_operation({"add.ftz.f32 %d, %a, %b;", "f32", {"f32", "f32"}},
                  [](V o) { return bits(flush(flush(f32(o[0])) + flush(f32(o[1])))); });
  check_operation({"mul.ftz.f32 %d, %a, %b;", "f32", {"f32", "f32"}},
                  [](V o) { return bits(flush(flush(f32(o[0])) * flush(f32(o[1])))); });
  check_operation({"mul.sat.f32 %d, %a, %b;", "f32", {"f32", "f32"}}, [](V o) {
    const float r = f32(o[0]) * f32(o[1]);
    return bits(r > 0 ? std::min(r, 1.0f) : 0.0f);
  });
}

TEST_CASE("double precision rounds once in every mode", "[device]") {
  for (const Mode& mode : kModes) {
    const std::string m = mode.name;
    const auto binary = [&](const std::string& op, auto f) {
      check_operation({op + "." + m + ".f64 %d, %a, %b;", "f64", {"f64", "f64"}}, [=](V o) {
        volatile double a = f64(o[0]), b = f64(o[1]);
        return bits(rounding(mode.host, [&] {
          volatile double r = f(a, b);
          return static_cast<double>(r);
        }));
      });
    };
    binary("add", [](double a, double b) { return a + b; });
    binary("mul", [](double a, double b) { return a * b; });
    binary("div", [](double a, double b) { return a / b; });
    check_operation({"sqrt." + m + ".f64 %d, %a;", "f64", {"f64"}}, [=](V o) {
      volatile double a = f64(o[0]);
      return bits(rounding(mode.host, [&] {
        volatile double r = std::sqrt(a);
        return static_cast<double>(r);
      }));
    });
  }
}

TEST_CASE("min and max prefer numbers, tell zeros apart and pass NaN where asked", "[device]") {
  const auto extreme = [](float a, float b, bool greater) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) != greater ? a : b;
    return (a < b) != greater ? a : b;
  };
  check_operation({"min.f32 %d, %a, %b;", "f32", {"f32", "f32"}},
                  [=](V o) { return bits(extreme(f32(o[0]), f32(o[1]), false)); });
  check_operation({"max.f32 %d, %a, %b;", "f32", {"f32", "f32"}},
                  [=](V o) { return bits(extreme(f32(o[0]), f32(o[1]), true)); });
  check_operation({"max.NaN.f32 %d, %a, %b;", "f32", {"f32", "f32"}}, [=](V o) {
    return std::isnan(f32(o[0])) || std::isnan(f32(o[1]))
               ? 0x7fffffff
               : bits(extreme(f32(o[0]), f32(o[1]), true));
  });
  check_operation({"abs.f32 %d, %a;", "f32", {"f32"}}, [](V o) { return o[0] & 0x7fffffff; });
  check_operation({"neg.f64 %d, %a;", "f64", {"f64"}},
                  [](V o) { return o[0] ^ 0x8000000000000000; });
  check_operation({"copysign.f32 %d, %a, %b;", "f32", {"f32", "f32"}},
                  [](V o) { return (o[0] & 0x80000000) | (o[1] & 0x7fffffff); });
}

TEST_CASE("floats compare with NaN as the ISA says", "[device]") {
  const std::pair<const char*, bool (*)(float, float)> relations[] = {
      {"eq", [](float a, float b) { return a == b; }},
      {"ne", [](float a, float b) { return !std::isnan(a) && !std::isnan(b) && a != b; }},
      {"lt", [](float a, float b) { return a < b; }},
      {"ge", [](float a, float b) { return a >= b; }},
      {"equ", [](float a, float b) { return std::isnan(a) || std::isnan(b) || a == b; }},
      {"neu", [](float a, float b) { return a != b; }},
      {"ltu", [](float a, float b) { return !(a >= b); }},
      {"gtu", [](float a, float b) { return !(a <= b); }},
      {"num", [](float a, float b) { return !std::isnan(a) && !std::isnan(b); }},
      {"nan", [](float a, float b) { return std::isnan(a) || std::isnan(b); }}};
  for (const auto& [name, f] : relations) {
    check_operation({std::string("setp.") + name + ".f32 %q3, %a, %b;\nselp.b32 %d, 1, 0, %q3;",
                     "b32",
                     {"f32", "f32"}},
                    [f = f](V o) { return Word64{f(f32(o[0]), f32(o[1]))}; });
    check_operation({std::string("set.") + name + ".f32.f32 %d, %a, %b;", "f32", {"f32", "f32"}},
                    [f = f](V o) { return f(f32(o[0]), f32(o[1])) ? 0x3f800000 : Word64{0}; });
  }
}

TEST_CASE("approximate functions stay within the documented error", "[device]") {
  // The reference is the host's double function; what is compared is the error, so the check is made by hand.
  struct Function {
    const char* instruction;
    double (*truth)(double);
    double from, to, absolute, relative;
  };
  const Function functions[] = {
      {"sin.approx.f32", std::sin, -3.14159, 3.14159, 0x1p-20, 0},
      {"cos.approx.f32", std::cos, -3.14159, 3.14159, 0x1p-20, 0},
      {"ex2.approx.f32", std::exp2, -120, 127, 0, 0x1p-22},
      {"lg2.approx.f32", std::log2, 0.001, 1000, 0x1p-22, 0x1p-22},
      {"tanh.approx.f32", std::tanh, -10, 10, 0, 0x1p-11},
      {"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 1e-30, 1e30, 0, 0x1p-22},
      {"rcp.approx.f32", [](double x) { return 1 / x; }, 1e-30, 1e30, 0, 0x1p-23},
      {"sqrt.approx.f32", std::sqrt, 1e-30, 1e30, 0, 0x1p-23}};
  const bool perturb = GENERATE(false, true);
  for (const Function& f : functions) {
    CAPTURE(f.instruction, perturb);
    PtxBench bench(
        fmt::format(".visible .entry k(.param .u64 x, .param .u64 y) {{\n.reg .f32 %a; .reg .b32 "
                    "%i; .reg .b64 %x, %y;\n"
                    "ld.param.u64 %x, [x]; ld.param.u64 %y, [y];\nmov.u32 %i, "
                    "%tid.x;\nmad.wide.u32 %x, %i, 4, %x;\n"
                    "mad.wide.u32 %y, %i, 4, %y;\nld.global.f32 %a, [%x];\n{} %a, "
                    "%a;\nst.global.f32 [%y], %a;\nret;\n}}\n",
                    f.instruction));
    std::vector<float> x(1024);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(f.from + (f.to - f.from) * static_cast<double>(i) / 1023);
    const Pointer in = bench.buffer("x", x), out = bench.buffer("y", std::vector<float>(x.size()));
    bench.request.perturb_approximations = perturb;
    bench.good({1, 1, 1}, {1024, 1, 1}, in, out);
    const auto y = bench.read<float>(out, x.size());
    std::size_t rounded = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double truth = f.truth(x[i]);
      rounded += y[i] == static_cast<float>(truth) ? 1 : 0;
      CAPTURE(x[i], y[i], truth);
      if (!(std::fabs(y[i] - truth) <= f.absolute + f.relative * std::fabs(truth)))
        FAIL_CHECK("too far");
    }
    // As they come, results are rounded but for a few; perturbed ones are not, but for what a small error leaves as it is.
    CHECK((perturb ? rounded < x.size() / 2 : rounded > x.size() * 9 / 10));
    bench.good({1, 1, 1}, {1024, 1, 1}, in, out);
    CHECK(bench.read<float>(out, x.size()) == y);
  }
  const std::pair<const char*, std::pair<Word64, Word64>> edges[] = {
      {"ex2.approx.f32", {0xff800000, 0}},          {"ex2.approx.f32", {0x7f800000, 0x7f800000}},
      {"lg2.approx.f32", {0, 0xff800000}},          {"lg2.approx.f32", {0xbf800000, 0x7fffffff}},
      {"sin.approx.f32", {0x80000000, 0x80000000}}, {"sin.approx.f32", {0x7f800000, 0x7fffffff}},
      {"rsqrt.approx.f32", {0, 0x7f800000}},        {"rcp.approx.f32", {0x80000000, 0xff800000}}};
  for (const auto& [instruction, values] : edges) {
    const auto [x, y] = values;
    check_operation({fmt::format("mov.b32 %d, {};\n{} %d, %d;", x, instruction), "f32", {"f32"}},
                    [y = y](V) { return y; });
  }
}

TEST_CASE("conversions round, clamp and extend", "[device]") {
  check_operation({"cvt.rzi.s32.f32 %d, %a;", "b32", {"f32"}}, [](V o) -> Word64 {
    const float a = f32(o[0]);
    if (std::isnan(a)) return 0;
    return static_cast<std::uint32_t>(a >= 2147483648.0f   ? INT32_MAX
                                      : a < -2147483648.0f ? INT32_MIN
                                                           : static_cast<std::int32_t>(a));
  });
  check_operation({"cvt.rzi.u32.f32 %d, %a;", "b32", {"f32"}}, [](V o) -> Word64 {
    const float a = f32(o[0]);
    return !(a > 0) ? 0 : a >= 4294967296.0f ? 0xffffffff : static_cast<std::uint32_t>(a);
  });
  check_operation({"cvt.rni.s64.f64 %d, %a;", "b64", {"f64"}}, [](V o) -> Word64 {
    const double a = f64(o[0]);
    if (std::isnan(a)) return 0x8000000000000000;
    const double r = std::nearbyint(a);
    return static_cast<Word64>(r >= 0x1p63   ? INT64_MAX
                               : r < -0x1p63 ? INT64_MIN
                                             : static_cast<std::int64_t>(r));
  });
  for (const Mode& mode : kModes) {
    const std::string m = mode.name;
    check_operation({"cvt." + m + ".f32.s64 %d, %a;", "f32", {"b64"}}, [=](V o) {
      volatile std::int64_t a = static_cast<std::int64_t>(o[0]);
      return bits(rounding(mode.host, [&] {
        volatile float r = static_cast<float>(a);
        return static_cast<float>(r);
      }));
    });
    check_operation({"cvt." + m + ".f32.f64 %d, %a;", "f32", {"f64"}}, [=](V o) {
      volatile double a = f64(o[0]);
      return bits(rounding(mode.host, [&] {
        volatile float r = static_cast<float>(a);
        return static_cast<float>(r);
      }));
    });
    check_operation({"cvt." + m + "i.f32.f32 %d, %a;", "f32", {"f32"}}, [=](V o) {
      volatile float a = f32(o[0]);
      return bits(rounding(mode.host, [&] {
        volatile float r = std::nearbyint(a);
        return static_cast<float>(r);
      }));
    });
  }
  check_operation({"cvt.rn.f64.u64 %d, %a;", "f64", {"b64"}},
                  [](V o) { return bits(static_cast<double>(o[0])); });
  check_operation({"cvt.s32.s8 %d, %a;", "b32", {"b32"}}, [](V o) {
    return static_cast<Word64>(static_cast<std::uint32_t>(static_cast<std::int8_t>(o[0])));
  });
  check_operation({"cvt.u64.u32 %d, %a;", "b64", {"b32"}}, [](V o) { return o[0]; });
  check_operation({"cvt.s64.s32 %d, %a;", "b64", {"b32"}}, [](V o) {
    return static_cast<Word64>(static_cast<std::int64_t>(static_cast<std::int32_t>(o[0])));
  });
  check_operation({"cvt.sat.u8.s32 %d, %a;", "b32", {"b32"}}, [](V o) {
    const auto a = static_cast<std::int32_t>(o[0]);
    return static_cast<Word64>(a < 0 ? 0 : a > 255 ? 255 : a);
  });
  check_operation({"cvt.sat.s16.u64 %d, %a;", "b16", {"b64"}},
                  [](V o) { return std::min<Word64>(o[0], 32767); });
}

}  // namespace warpbook::device::tests::float_test
