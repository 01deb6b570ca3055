// The intrinsics of cuda_fp16.h and cuda_bf16.h agree with a model in double precision, rounded once. What is not
// arithmetic the headers promise to nearest; one step is allowed them, and tanh_approx the PTX ISA's bound.
#include <array>
#include <catch2/generators/catch_generators.hpp>
#include <functional>
#include <string_view>

#include "tests/device/kernels/kernel_bench.hpp"
#include "tests/device/kernels/narrow_float.hpp"

namespace warpbook::tests::halves_test {

using namespace warpbook::device;

namespace {

using Halves = std::vector<std::uint16_t>;

struct Type {
  const char* name;
  const char* prefix;
  NarrowFormat format;
};
const Type kTypes[] = {{"__half", "half", kHalf}, {"__nv_bfloat16", "bfloat16", kBrain}};

/// All edges of the format, then any bits.
Halves any(const NarrowFormat& format, std::size_t count, std::uint32_t seed) {
  Halves x;
  std::mt19937 engine(seed);
  const auto one = static_cast<std::uint16_t>(format.round(1));
  const std::uint16_t edges[] = {0,
                                 1,
                                 static_cast<std::uint16_t>((1 << format.mantissa) - 1),
                                 static_cast<std::uint16_t>(1 << format.mantissa),
                                 one,
                                 static_cast<std::uint16_t>(one + 1),
                                 static_cast<std::uint16_t>(one - 1),
                                 static_cast<std::uint16_t>(format.largest),
                                 static_cast<std::uint16_t>(format.overflow),
                                 static_cast<std::uint16_t>(format.nan)};
  while (x.size() < count) {
    const auto bits = static_cast<std::uint16_t>(engine());
    if (engine() % 4 == 0)
      x.push_back(static_cast<std::uint16_t>(edges[engine() % 10] | (bits & 0x8000)));
    // Numbers near one another, so that sums are not one of the two.
    else if (engine() % 2)
      x.push_back(static_cast<std::uint16_t>(format.round((bits - 32768) / 1024.0)));
    else
      x.push_back(bits);
  }
  return x;
}

/// Steps of representable numbers between two; 0 where both are NaN or both the same.
int steps(const NarrowFormat& format, std::uint32_t got, double truth) {
  const double value = format.value(got);
  if (std::isnan(value) || std::isnan(truth))
    return std::isnan(value) && std::isnan(truth) ? 0 : 99999;
  const std::uint32_t nearest = format.round(truth);
  const auto place = [&](std::uint32_t bits) {
    const auto m = static_cast<int>(bits & (format.sign() - 1));
    return bits & format.sign() ? -m : m;
  };
  return std::abs(place(got) - place(nearest));
}

using Unary = double (*)(double);
/// In the order of the kernel's results.
const std::array<std::pair<const char*, Unary>, 19> kUnary = {{
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"rcp", [](double x) { return 1 / x; }},
    {"log", [](double x) { return std::log(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"exp10", [](double x) { return std::pow(10, x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"tanh_approx", [](double x) { return std::tanh(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"rint", [](double x) { return std::nearbyint(x); }},
    {"abs", [](double x) { return std::fabs(x); }},
    {"neg", [](double x) { return -x; }},
}};

/// The first argument whose result is wrong, or -1.
std::ptrdiff_t wrong_unary(const NarrowFormat& format, std::size_t k, const Halves& x,
                           const std::function<std::uint16_t(std::size_t)>& got) {
  const std::string_view name = kUnary[k].first;
  const bool exact = k >= 13 || name == "sqrt" || name == "rcp";
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = format.value(x[i]), truth = kUnary[k].second(at);
    bool good = steps(format, got(i), truth) <= (exact ? 0 : 1);
    if (name == "tanh_approx" && !std::isnan(truth)) {
      // PTX ISA, tanh: 2^-10.987 absolute for f16, 2^-8 relative for bf16
      const double bound =
          format.mantissa == 10 ? std::exp2(-10.987) : std::exp2(-8) * std::fabs(truth);
      good = std::fabs(format.value(got(i)) - truth) <= bound + 0x1p-133;
    }
    if (good) continue;
    UNSCOPED_INFO(name << " of " << at << " is " << format.value(got(i)) << ", not " << truth);
    return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

using Binary = double (*)(double, double);
double larger(double a, double b) { return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b); }
double smaller(double a, double b) { return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b); }
double clipped(double v) { return std::isnan(v) ? 0 : std::fmin(std::fmax(v, 0), 1); }
const std::array<std::pair<const char*, Binary>, 18> kBinary = {{
    {"add", [](double a, double b) { return fused(a, 1, b); }},
    {"sub", [](double a, double b) { return fused(a, 1, -b); }},
    {"mul", [](double a, double b) { return a * b; }},
    {"add_rn", [](double a, double b) { return fused(a, 1, b); }},
    {"sub_rn", [](double a, double b) { return fused(a, 1, -b); }},
    {"mul_rn", [](double a, double b) { return a * b; }},
    {"add_sat", [](double a, double b) { return clipped(fused(a, 1, b)); }},
    {"sub_sat", [](double a, double b) { return clipped(fused(a, 1, -b)); }},
    {"mul_sat", [](double a, double b) { return clipped(a * b); }},
    {"max", larger},
    {"min", smaller},
    {"max_nan",
     [](double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : larger(a, b); }},
    {"min_nan",
     [](double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : smaller(a, b); }},
    {"div", [](double a, double b) { return a / b; }},
    {"+", [](double a, double b) { return fused(a, 1, b); }},
    {"-", [](double a, double b) { return fused(a, 1, -b); }},
    {"*", [](double a, double b) { return a * b; }},
    {"/", [](double a, double b) { return a / b; }},
}};

/// Same number, and of zeros the same sign; any NaN for a NaN.
bool same(const NarrowFormat& format, std::uint32_t got, double truth) {
  if (std::isnan(truth)) return std::isnan(format.value(got));
  return got == format.round(truth);
}

struct Shapes {
  static KernelBench::Shape of(std::size_t n) { return {{blocks(n)}, {96}}; }
  static std::uint32_t blocks(std::size_t n) { return static_cast<std::uint32_t>((n + 95) / 96); }
};

}  // namespace

TEST_CASE("Functions of one half and of a pair are right for all of the 65,536", "[ci]") {
  const int architecture = GENERATE(75, 90);
  KernelBench bench("halves.cu", true, architecture);
  Halves x(65536);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint16_t>(i);
  const std::size_t n = x.size();
  for (const Type& type : kTypes) {
    CAPTURE(architecture, type.name);
    const Pointer from = bench.put("x", x), to = bench.space<std::uint16_t>("y", 19 * n);
    bench.run_checked("unary<" + std::string(type.name) + ">", Shapes::of(n),
                      {Argument::pointer(from), Argument::pointer(to), Argument::of(65536)});
    const auto single = bench.get<std::uint16_t>(to, 19 * n);
    for (std::size_t k = 0; k < kUnary.size(); ++k)
      CHECK(wrong_unary(type.format, k, x, [&](std::size_t i) { return single[k * n + i]; }) == -1);
    // Pairs become what their halves become: to the bit, but that some functions of pairs are made otherwise.
    const Halves few(x.begin() + 0x3000, x.begin() + 0x3000 + 8001);
    const Pointer some = bench.put("few", few),
                  pairs = bench.space<std::uint16_t>("pairs", 2 * 19 * few.size());
    bench.run_checked("unary_pairs<" + std::string(type.name) + ">", Shapes::of(few.size()),
                      {Argument::pointer(some), Argument::pointer(pairs), Argument::of(8001)});
    const auto two = bench.get<std::uint16_t>(pairs, 2 * 19 * few.size());
    for (std::size_t k = 0; k < kUnary.size(); ++k) {
      const std::uint16_t* const row = &two[2 * k * few.size()];
      CHECK(wrong_unary(type.format, k, few, [&](std::size_t i) { return row[2 * i]; }) == -1);
      CHECK(wrong_unary(type.format, k, few,
                        [&](std::size_t i) { return row[2 * (few.size() - 1 - i) + 1]; }) == -1);
    }
  }
}

TEST_CASE("Halves add, multiply, divide and choose with one rounding", "[ci]") {
  const int architecture = GENERATE(75, 80, 90);
  KernelBench bench("halves.cu", true, architecture);
  constexpr int kCount = 4001;
  for (const Type& type : kTypes) {
    CAPTURE(architecture, type.name);
    const NarrowFormat& f = type.format;
    const Halves a = any(f, kCount, 1), b = any(f, kCount, 2), c = any(f, kCount, 3);
    const std::size_t n = kCount;
    const Pointer pa = bench.put("a", a), pb = bench.put("b", b), pc = bench.put("c", c);
    const Pointer y = bench.space<std::uint16_t>("y", 2 * 18 * n);
    const std::string of = "<" + std::string(type.name) + ">";
    const auto at = [](const Halves& h, std::size_t i) { return h[i]; };
    const auto check = [&](const char* name, const auto& got, const auto& truth) {
      for (std::size_t i = 0; i < n; ++i) {
        const double t = truth(f.value(at(a, i)), f.value(at(b, i)), f.value(at(c, i)));
        if (same(f, got(i), t)) continue;
        UNSCOPED_INFO(name << " of " << f.value(a[i]) << ", " << f.value(b[i]) << ", "
                           << f.value(c[i]) << " is " << f.value(got(i)) << ", not "
                           << f.value(f.round(t)));
        return false;
      }
      return true;
    };
    bench.run_checked(
        "binary" + of, Shapes::of(n),
        {Argument::pointer(pa), Argument::pointer(pb), Argument::pointer(y), Argument::of(kCount)});
    const auto one = bench.get<std::uint16_t>(y, 2 * 18 * n);
    bench.run_checked(
        "binary_pairs" + of, Shapes::of(n),
        {Argument::pointer(pa), Argument::pointer(pb), Argument::pointer(y), Argument::of(kCount)});
    const auto two = bench.get<std::uint16_t>(y, 2 * 18 * n);
    for (std::size_t k = 0; k < kBinary.size(); ++k) {
      const auto truth = [&](double u, double v, double) { return kBinary[k].second(u, v); };
      const char* name = kBinary[k].first;
      CHECK(check(
          name, [&](std::size_t i) { return one[k * n + i]; }, truth));
      CHECK(check(
          name, [&](std::size_t i) { return two[2 * (k * n + i)]; }, truth));
      CHECK(check(
          name, [&](std::size_t i) { return two[2 * (k * n + n - 1 - i) + 1]; }, truth));
    }

    if (architecture < 80 && type.format.mantissa == 7) continue;  // the header has none there
    using Ternary = double (*)(double, double, double);
    const std::pair<const char*, Ternary> ternary[] = {
        {"fma", [](double u, double v, double w) { return fused(u, v, w); }},
        {"fma_sat", [](double u, double v, double w) { return clipped(fused(u, v, w)); }},
        {"fma_relu", [](double u, double v, double w) {
           const double r = fused(u, v, w);
           return r <= 0 ? 0 : r;
         }}};
    bench.run_checked("ternary" + of, Shapes::of(n),
                      {Argument::pointer(pa), Argument::pointer(pb), Argument::pointer(pc),
                       Argument::pointer(y), Argument::of(kCount)});
    const auto three = bench.get<std::uint16_t>(y, 3 * n);
    bench.run_checked("ternary_pairs" + of, Shapes::of(n),
                      {Argument::pointer(pa), Argument::pointer(pb), Argument::pointer(pc),
                       Argument::pointer(y), Argument::of(kCount)});
    const auto pairs = bench.get<std::uint16_t>(y, 8 * n);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(check(
          ternary[k].first, [&](std::size_t i) { return three[k * n + i]; }, ternary[k].second));
      CHECK(check(
          ternary[k].first, [&](std::size_t i) { return pairs[2 * (k * n + i)]; },
          ternary[k].second));
      CHECK(check(
          ternary[k].first, [&](std::size_t i) { return pairs[2 * (k * n + n - 1 - i) + 1]; },
          ternary[k].second));
    }
    // Complex numbers: two fused steps each, as the headers say.
    for (std::size_t i = 0; i < n; ++i) {
      const auto v = [&](const Halves& h, std::size_t at_index) { return f.value(h[at_index]); };
      const auto step = [&](double u, double w, double s) {
        return f.value(f.round(fused(u, w, s)));
      };
      const std::size_t j = n - 1 - i;
      const double re = fused(-v(a, j), v(b, j), step(v(a, i), v(b, i), v(c, i)));
      const double im = fused(v(a, j), v(b, i), step(v(a, i), v(b, j), v(c, j)));
      const std::uint16_t* const got = &pairs[2 * (3 * n + i)];
      if (same(f, got[0], re) && same(f, got[1], im)) continue;
      CAPTURE(i, f.value(got[0]), f.value(got[1]), re, im);
      CHECK(same(f, got[0], re));
      CHECK(same(f, got[1], im));
      break;
    }
  }
}

TEST_CASE("Halves compare as numbers, alone, in pairs and as masks", "[ci]") {
  const int architecture = GENERATE(75, 90);
  KernelBench bench("halves.cu", true, architecture);
  constexpr std::size_t n = 3001;
  for (const Type& type : kTypes) {
    CAPTURE(architecture, type.name);
    const NarrowFormat& f = type.format;
    const Halves a = any(f, n, 4);
    Halves b = any(f, n, 5);
    for (std::size_t i = 0; i < n; i += 3) b[i] = a[i];
    const Pointer y = bench.space<std::uint32_t>("y", 6 * n);
    bench.run_checked("compare<" + std::string(type.name) + ">", Shapes::of(n),
                      {Argument::pointer(bench.put("a", a)), Argument::pointer(bench.put("b", b)),
                       Argument::pointer(y), Argument::of(static_cast<int>(n))});
    const auto ordered = [&](std::size_t i) {
      const double u = f.value(a[i]), v = f.value(b[i]);
      const bool none = std::isnan(u) || std::isnan(v);
      const bool answers[6] = {u == v, !none && u != v, u <= v, u >= v, u<v, u> v};
      std::uint32_t bits = 0;
      for (int k = 0; k < 6; ++k)
        bits |= std::uint32_t{answers[k]} << k | std::uint32_t{answers[k] || none} << (6 + k);
      return bits;
    };
    std::vector<std::uint32_t> expected(6 * n);
    for (std::size_t i = 0; i < n; ++i) {
      const double u = f.value(a[i]), v = f.value(b[i]);
      const std::size_t j = n - 1 - i;
      const std::uint32_t nan = std::uint32_t{std::isnan(u)} << 12;
      const int infinite = std::isinf(u) ? (u < 0 ? -1 : 1) : 0;
      expected[i] = ordered(i) | nan | static_cast<std::uint32_t>(infinite + 1) << 13 |
                    std::uint32_t{u == v} << 15 | std::uint32_t{u != v} << 16 |
                    std::uint32_t{u <= v} << 17 | std::uint32_t{u >= v} << 18 |
                    std::uint32_t{u < v} << 19 | std::uint32_t{u > v} << 20;
      expected[n + i] = ordered(i) | nan;
      expected[2 * n + i] = ordered(j) | std::uint32_t{std::isnan(f.value(a[j]))} << 12;
      expected[3 * n + i] = ordered(i);
      expected[4 * n + i] = ordered(j);
      expected[5 * n + i] = ordered(i) & ordered(j);
    }
    CHECK(first_difference(bench.get<std::uint32_t>(y, 6 * n), expected) == -1);
  }
}

TEST_CASE("Halves become whole numbers and come of them in every rounding", "[ci]") {
  const int architecture = GENERATE(75, 90);
  KernelBench bench("halves.cu", true, architecture);
  constexpr std::size_t n = 2001;
  const Rounding modes[4] = {Rounding::nearest, Rounding::zero, Rounding::up, Rounding::down};
  struct Whole {
    int bits;
    bool is_signed;
  };
  const Whole wholes[6] = {{32, true},  {32, false}, {16, true},
                           {16, false}, {64, true},  {64, false}};
  for (const Type& type : kTypes) {
    CAPTURE(architecture, type.name);
    const NarrowFormat& f = type.format;
    Halves x = any(f, n, 6);
    for (auto& h : x)
      if (std::isnan(f.value(h))) h = 0x3c01;
    const Pointer y = bench.space<std::int64_t>("y", 26 * n);
    bench.run_checked("to_" + std::string(type.prefix) + "_words", Shapes::of(n),
                      {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
                       Argument::of(static_cast<int>(n))});
    const auto to_whole = [&](double v, Rounding mode, Whole w) {
      double r = mode == Rounding::zero   ? std::trunc(v)
                 : mode == Rounding::up   ? std::ceil(v)
                 : mode == Rounding::down ? std::floor(v)
                                          : std::nearbyint(v);
      const double over = std::ldexp(1.0, w.is_signed ? w.bits - 1 : w.bits);
      if (r >= over)
        return static_cast<std::int64_t>(~std::uint64_t{0} >>
                                         (64 - w.bits + (w.is_signed ? 1 : 0)));
      if (!w.is_signed)
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(std::fmax(r, 0)));
      return r <= -over ? static_cast<std::int64_t>(-over) : static_cast<std::int64_t>(r);
    };
    std::vector<std::int64_t> expected(26 * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t t = 0; t < 6; ++t) {
        for (std::size_t m = 0; m < 4; ++m)
          expected[(4 * t + m) * n + i] = to_whole(f.value(x[i]), modes[m], wholes[t]);
      }
      expected[24 * n + i] = to_whole(f.value(x[i]), Rounding::zero, {8, true});
      expected[25 * n + i] = to_whole(f.value(x[i]), Rounding::zero, {8, false});
    }
    CHECK(first_difference(bench.get<std::int64_t>(y, 26 * n), expected) == -1);

    std::vector<std::int64_t> words(n);
    std::vector<double> numbers_in(n);
    std::mt19937_64 engine(7);
    for (std::size_t i = 0; i < n; ++i) {
      words[i] = static_cast<std::int64_t>(engine()) >> (engine() % 64);
      numbers_in[i] = f.value(any(f, 1, static_cast<std::uint32_t>(i))[0]) *
                      (1 + static_cast<double>(engine() % 4096) * 0x1p-40);
    }
    const Pointer z = bench.space<std::uint16_t>("z", 29 * n);
    bench.run_checked("from_" + std::string(type.prefix) + "_words", Shapes::of(n),
                      {Argument::pointer(bench.put("words", words)),
                       Argument::pointer(bench.put("d", numbers_in)), Argument::pointer(z),
                       Argument::of(static_cast<int>(n))});
    const auto got = bench.get<std::uint16_t>(z, 29 * n);
    for (std::size_t k = 0; k < 29; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        const Rounding mode = k == 28 ? Rounding::nearest : modes[k % 4];
        double v = k == 28 ? numbers_in[i] : static_cast<double>(static_cast<float>(numbers_in[i]));
        if (k < 24) {
          const Whole w = wholes[k / 4];
          const auto raw =
              static_cast<std::uint64_t>(words[i]) & (~std::uint64_t{0} >> (64 - w.bits));
          const bool negative = w.is_signed && (raw >> (w.bits - 1) & 1);
          // High bits and whether any lower one is set decide: both fit a double.
          std::uint64_t magnitude =
              negative ? (0 - raw) & (~std::uint64_t{0} >> (64 - w.bits)) : raw;
          int up = 0;
          while (magnitude >> 40) magnitude = magnitude >> 1 | (magnitude & 1), ++up;
          v = std::ldexp(static_cast<double>(magnitude), up) * (negative ? -1 : 1);
        }
        const std::uint32_t truth = f.round(v, mode);
        if (got[k * n + i] == truth || (std::isnan(v) && std::isnan(f.value(got[k * n + i]))))
          continue;
        CAPTURE(k, i, v, words[i], got[k * n + i], truth);
        CHECK(got[k * n + i] == truth);
        break;
      }
    }
  }
}

TEST_CASE("Halves travel through shuffles, caches and atomics", "[ci]") {
  const int architecture = GENERATE(75, 90);
  KernelBench bench("halves.cu", true, architecture);
  for (const Type& type : kTypes) {
    CAPTURE(architecture, type.name);
    const NarrowFormat& f = type.format;
    Halves x(33);
    for (std::size_t i = 0; i < 33; ++i)
      x[i] = static_cast<std::uint16_t>(f.round(static_cast<double>(i * i % 37)));
    const Pointer y = bench.space<std::uint16_t>("y", 8 * 32),
                  sum = bench.zeros<std::uint16_t>("sum", 2),
                  pair_sum = bench.zeros<std::uint16_t>("pair sum", 2);
    bench.run_checked("move<" + std::string(type.name) + ">", {{1}, {32}},
                      {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
                       Argument::pointer(sum), Argument::pointer(pair_sum)});
    Halves expected;
    for (std::size_t i = 0; i < 32; ++i) {
      const std::size_t from = i + 3 < 32 ? i + 3 : i;
      const std::uint16_t low = x[from], high = x[from + 1];
      for (const std::uint16_t v : {f.value(high) > f.value(low) ? low : high, x[i ^ 5], x[7],
                                    x[i == 0 ? 0 : i - 1], high, low, low, high})
        expected.push_back(v);
    }
    CHECK(first_difference(bench.get<std::uint16_t>(y, 8 * 32), expected) == -1);
    CHECK(f.value(bench.get<std::uint16_t>(sum, 1)[0]) == 32);
    CHECK(f.value(bench.get<std::uint16_t>(pair_sum, 2)[0]) == 16);
    CHECK(f.value(bench.get<std::uint16_t>(pair_sum, 2)[1]) == 64);
  }
}

}  // namespace warpbook::tests::halves_test
