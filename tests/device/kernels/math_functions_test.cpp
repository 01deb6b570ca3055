// CUDA's mathematical functions stay within the errors that the CUDA C++ Programming Guide states (appendix
// "Mathematical Functions"; in units in the last place, from the correctly rounded result), judged by the host's long double.
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "tests/device/kernels/kernel_bench.hpp"
#include "tests/device/kernels/special_functions.hpp"

namespace warpbook::tests::math_functions_test {

using namespace warpbook::device;
using namespace warpbook::device::truth;

namespace {

std::string shown(long double v) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17Lg", v);
  return text;
}

/// A function's name without f, its bounds in single and double precision, where it is drawn from, and its truth.
struct Function {
  const char* name;
  double single, twice;  ///< most units in the last place; negative: only in the other precision
  double least, most;    ///< half of the random arguments; the others are any bits
  Wide (*truth)(Wide);
  double within = INFINITY;     ///< |x| beyond which `absolute` holds instead
  double absolute[2] = {0, 0};  ///< single, double
  bool (*excepted)(double) = nullptr;
};

const std::vector<Function>& functions() {
  static const std::vector<Function> table = {
      // Of a double, so that a root is rounded once; a float's is exact enough to be rounded again.
      {"sqrt", 0, 0, 0, 100, [](Wide x) { return Wide(std::sqrt(static_cast<double>(x))); }},
      {"rsqrt", 2, 1, 0, 100, [](Wide x) { return 1 / std::sqrt(x); }},
      {"cbrt", 1, 1, -100, 100, [](Wide x) { return std::cbrt(x); }},
      {"rcbrt", 1, 1, -100, 100, [](Wide x) { return 1 / std::cbrt(x); }},
      {"exp", 2, 1, -90, 90, [](Wide x) { return std::exp(x); }},
      {"exp2", 2, 1, -150, 130, [](Wide x) { return std::exp2(x); }},
      {"exp10", 2, 1, -40, 39, [](Wide x) { return std::pow(10.0L, x); }},
      {"expm1", 1, 1, -5, 5, [](Wide x) { return std::expm1(x); }},
      {"log", 1, 1, 0, 3, [](Wide x) { return std::log(x); }},
      {"log2", 1, 1, 0, 3, [](Wide x) { return std::log2(x); }},
      {"log10", 2, 1, 0, 3, [](Wide x) { return std::log10(x); }},
      {"log1p", 1, 1, -1, 3, [](Wide x) { return std::log1p(x); }},
      {"logb", 0, 0, -10, 10, [](Wide x) { return std::logb(x); }},
      {"sin", 2, 2, -100, 100, [](Wide x) { return std::sin(x); }},
      {"cos", 2, 2, -100, 100, [](Wide x) { return std::cos(x); }},
      {"tan", 4, 2, -100, 100, [](Wide x) { return std::tan(x); }},
      {"sinpi", 1, 2, -10, 10, sine_of_turns},
      {"cospi", 1, 2, -10, 10, cosine_of_turns},
      {"asin", 2, 2, -1, 1, [](Wide x) { return std::asin(x); }},
      {"acos", 2, 2, -1, 1, [](Wide x) { return std::acos(x); }},
      {"atan", 2, 2, -5, 5, [](Wide x) { return std::atan(x); }},
      {"sinh", 3, 2, -90, 90, [](Wide x) { return std::sinh(x); }},
      {"cosh", 2, 1, -90, 90, [](Wide x) { return std::cosh(x); }},
      {"tanh", 2, 1, -10, 10, [](Wide x) { return std::tanh(x); }},
      {"asinh", 3, 3, -10, 10, [](Wide x) { return std::asinh(x); }},
      {"acosh", 4, 3, 1, 10, [](Wide x) { return std::acosh(x); }},
      {"atanh", 3, 2, -1, 1, [](Wide x) { return std::atanh(x); }},
      {"erf", 2, 2, -5, 5, [](Wide x) { return std::erf(x); }},
      {"erfc", 4, 5, -5, 26, [](Wide x) { return std::erfc(x); }},
      {"erfcx", 4, 4, -9, 30, scaled_erfc},
      {"erfinv", 2, 5, -1, 1, inverse_erf},
      {"erfcinv", 4, 6, 0, 2, inverse_erfc},
      {"normcdf", 5, 5, -38, 8, normal_distribution},
      {"normcdfinv", 5, 8, 0, 1, [](Wide x) { return -std::sqrt(2.0L) * inverse_erfc(2 * x); }},
      {"lgamma",
       6,
       4,
       -30,
       30,
       [](Wide x) { return std::lgamma(x); },
       INFINITY,
       {0, 0},
       [](double x) { return x > -23.0001 && x < -2.2637; }},
      {"tgamma", 5, 10, -34, 35, [](Wide x) { return std::tgamma(x); }},
      {"j0", 9, 7, -20, 20, [](Wide x) { return j0l(x); }, 8, {2.2e-6, 5e-12}},
      {"j1", 9, 7, -20, 20, [](Wide x) { return j1l(x); }, 8, {2.2e-6, 5e-12}},
      {"y0", 9, 7, 0, 20, [](Wide x) { return y0l(x); }, 8, {2.2e-6, 5e-12}},
      {"y1", 9, 7, 0, 20, [](Wide x) { return y1l(x); }, 8, {2.2e-6, 5e-12}},
      {"cyl_bessel_i0", 6, 6, -20, 20, [](Wide x) { return bessel_i(0, x); }},
      {"cyl_bessel_i1", 6, 6, -20, 20, [](Wide x) { return bessel_i(1, x); }},
      {"ceil", 0, 0, -9, 9, [](Wide x) { return std::ceil(x); }},
      {"floor", 0, 0, -9, 9, [](Wide x) { return std::floor(x); }},
      {"trunc", 0, 0, -9, 9, [](Wide x) { return std::trunc(x); }},
      {"round", 0, 0, -9, 9, [](Wide x) { return std::round(x); }},
      {"rint", 0, 0, -9, 9, [](Wide x) { return std::rint(x); }},
      {"nearbyint", 0, 0, -9, 9, [](Wide x) { return std::rint(x); }},
      {"fabs", 0, 0, -9, 9, [](Wide x) { return std::fabs(x); }},
  };
  return table;
}

/// Of two arguments.
struct Pairwise {
  const char* name;
  double single, twice;
  double least, most;
  Wide (*truth)(Wide, Wide);
};
const std::vector<Pairwise>& pairwise() {
  static const std::vector<Pairwise> table = {
      {"pow", 4, 2, 0, 10, [](Wide x, Wide y) { return std::pow(x, y); }},
      {"atan2", 3, 2, -5, 5, [](Wide x, Wide y) { return std::atan2(x, y); }},
      {"hypot", 3, 2, -5, 5, [](Wide x, Wide y) { return std::hypot(x, y); }},
      {"rhypot", 2, 1, -5, 5, [](Wide x, Wide y) { return 1 / std::hypot(x, y); }},
      {"fmod", 0, 0, -90, 90, [](Wide x, Wide y) { return std::fmod(x, y); }},
      {"remainder", 0, 0, -90, 90, [](Wide x, Wide y) { return std::remainder(x, y); }},
      {"fdim", 0, 0, -5, 5, [](Wide x, Wide y) { return std::fdim(x, y); }},
      {"copysign", 0, 0, -5, 5, [](Wide x, Wide y) { return std::copysign(x, y); }},
      {"fmax", 0, 0, -5, 5, [](Wide x, Wide y) { return std::fmax(x, y); }},
      {"fmin", 0, 0, -5, 5, [](Wide x, Wide y) { return std::fmin(x, y); }},
  };
  return table;
}

/// The edges, then as many within the bounds as of any bits.
template <class T>
std::vector<T> arguments(double least, double most, std::uint32_t seed, std::size_t count) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> x = {0,
                      -T(0),
                      1,
                      -1,
                      2,
                      -2,
                      T(0.5),
                      T(-0.5),
                      T(1.5),
                      T(2.5),
                      T(-2.5),
                      3,
                      10,
                      -10,
                      Limits::min(),
                      -Limits::min(),
                      Limits::denorm_min(),
                      -Limits::denorm_min(),
                      Limits::max(),
                      Limits::lowest(),
                      Limits::infinity(),
                      -Limits::infinity(),
                      Limits::quiet_NaN(),
                      Limits::epsilon(),
                      1 - Limits::epsilon() / 2,
                      1 + Limits::epsilon(),
                      T(kPi),
                      T(kPi / 2),
                      T(1e5),
                      T(105615),
                      T(1e9),
                      T(709),
                      T(-745),
                      T(88.5),
                      T(-103),
                      T(1e-10),
                      T(8),
                      T(-8),
                      T(26.5),
                      T(170)};
  std::mt19937_64 engine(seed);
  while (x.size() < count) {
    if (x.size() % 2 == 0) {
      x.push_back(
          static_cast<T>(least + (most - least) * static_cast<double>(engine() >> 11) * 0x1p-53));
    } else if constexpr (sizeof(T) == 4) {
      x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(engine())));
    } else {
      x.push_back(std::bit_cast<double>(engine()));
    }
  }
  return x;
}

/// How far `got` is from the correctly rounded truth, in steps of representable numbers.
template <class T>
double steps(T got, Wide truth) {
  const T nearest = static_cast<T>(truth);
  if (std::isnan(nearest) || std::isnan(got))
    return std::isnan(nearest) && std::isnan(got) ? 0 : 1e9;
  if (got == nearest) return 0;
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  const auto place = [](T v) {
    const Bits b = std::bit_cast<Bits>(v);
    return b < 0 ? -Wide(b & std::numeric_limits<Bits>::max()) : Wide(b);  // exact
  };
  return static_cast<double>(std::fabs(place(got) - place(nearest)));
}

template <class T>
void check_one(KernelBench& bench, const Function& f) {
  constexpr bool kSingle = sizeof(T) == 4;
  const double bound = kSingle ? f.single : f.twice;
  const std::string name = std::string("at_") + f.name + (kSingle ? "f" : "");
  const auto x = arguments<T>(f.least, f.most, 7, 1201);
  const Pointer y = bench.space<T>("y", x.size());
  bench.run_checked(
      name, {{15}, {83}},
      {Argument::pointer(bench.put("x", x)), Argument::pointer(y), Argument::of(1201)});
  const auto got = bench.get<T>(y, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (f.excepted && f.excepted(x[i])) continue;
    const Wide truth = f.truth(x[i]);
    bool good = steps<T>(got[i], truth) <= bound;
    if (std::fabs(x[i]) > f.within && std::isfinite(x[i]))
      good = std::fabs(got[i] - truth) <= f.absolute[kSingle ? 0 : 1];
    if (!good) {
      CAPTURE(name, i, shown(x[i]), shown(got[i]), shown(static_cast<T>(truth)));
      CHECK(steps<T>(got[i], truth) == 0);
      return;
    }
  }
}

}  // namespace

TEST_CASE("Mathematical functions of one argument err no more than CUDA says", "[ci]") {
  KernelBench bench("math_functions.cu");
  for (const Function& f : functions()) {
    check_one<float>(bench, f);
    check_one<double>(bench, f);
  }
}

TEST_CASE("Mathematical functions of two arguments err no more than CUDA says", "[ci]") {
  KernelBench bench("math_functions.cu");
  const auto check = [&]<class T>(const Pairwise& f, T) {
    constexpr bool kSingle = sizeof(T) == 4;
    const std::string name = std::string("at_") + f.name + (kSingle ? "f" : "");
    const auto x = arguments<T>(f.least, f.most, 7, 701);
    std::vector<T> z(x.size());
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = x[(i * 11 + 3) % x.size()];
    const Pointer y = bench.space<T>("y", x.size());
    bench.run_checked(name, {{7}, {101}},
                      {Argument::pointer(bench.put("x", x)), Argument::pointer(bench.put("z", z)),
                       Argument::pointer(y), Argument::of(701)});
    const auto got = bench.get<T>(y, x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Wide truth = f.truth(x[i], z[i]);
      if (const double far = steps<T>(got[i], truth); far > (kSingle ? f.single : f.twice)) {
        CAPTURE(name, i, shown(x[i]), shown(z[i]), shown(got[i]), shown(static_cast<T>(truth)));
        CHECK(far == 0);
        return;
      }
    }
  };
  for (const Pairwise& f : pairwise()) {
    check(f, 0.0f);
    check(f, 0.0);
  }
}

TEST_CASE("Fast functions of single precision err no more than CUDA says", "[ci]") {
  KernelBench bench("math_functions.cu");
  struct Fast {
    const char* name;
    float least, most;
    Wide (*truth)(Wide);
    double (*bound)(double x, double truth);  // of the absolute error
  };
  const auto ulp = [](double y) { return std::max(std::ldexp(1.0, std::ilogb(y) - 23), 0x1p-149); };
  static const auto unit = ulp;
  const Fast all[] = {
      {"__sinf", -3.1415f, 3.1415f, [](Wide x) { return std::sin(x); },
       [](double, double) { return std::exp2(-21.41); }},
      {"__cosf", -3.1415f, 3.1415f, [](Wide x) { return std::cos(x); },
       [](double, double) { return std::exp2(-21.19); }},
      // A quotient of the two: their errors over the cosine, and the division's own.
      {"__tanf", -1.4f, 1.4f, [](Wide x) { return std::tan(x); },
       [](double x, double y) {
         return (std::exp2(-21.41) + std::fabs(y) * std::exp2(-21.19)) / std::cos(x) + 3 * unit(y);
       }},
      {"__expf", -80, 80, [](Wide x) { return std::exp(x); },
       [](double x, double y) { return (2.5 + std::floor(std::fabs(1.173 * x))) * unit(y); }},
      {"__exp10f", -36, 36, [](Wide x) { return std::pow(10.0L, x); },
       [](double x, double y) { return (2.5 + std::floor(std::fabs(2.97 * x))) * unit(y); }},
      {"__logf", 0.01f, 5, [](Wide x) { return std::log(x); },
       [](double x, double y) { return x >= 0.5 && x <= 2 ? std::exp2(-21.41) : 3.5 * unit(y); }},
      {"__log2f", 0.01f, 5, [](Wide x) { return std::log2(x); },
       [](double x, double y) { return x >= 0.5 && x <= 2 ? std::exp2(-22) : 2.5 * unit(y); }},
      {"__log10f", 0.01f, 5, [](Wide x) { return std::log10(x); },
       [](double x, double y) { return x >= 0.5 && x <= 2 ? std::exp2(-24) : 3.5 * unit(y); }},
      {"__tanhf", -10, 10, [](Wide x) { return std::tanh(x); },
       [](double, double y) { return std::fabs(y) * std::exp2(-10.98); }},
      {"__saturatef", -1, 2, [](Wide x) { return std::fmin(std::fmax(x, 0.0L), 1.0L); },
       [](double, double) { return 0.0; }},
  };
  for (const Fast& f : all) {
    const auto x = numbers<float>(501, f.least, f.most);
    const Pointer y = bench.space<float>("y", x.size());
    bench.run_checked(
        std::string("at_") + f.name, {{5}, {101}},
        {Argument::pointer(bench.put("x", x)), Argument::pointer(y), Argument::of(501)});
    const auto got = bench.get<float>(y, x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Wide truth = f.truth(x[i]);
      const auto off = static_cast<double>(std::fabs(got[i] - truth));
      if (off > f.bound(x[i], static_cast<double>(truth))) {
        CAPTURE(f.name, x[i], got[i], static_cast<double>(truth), off);
        CHECK(off == 0);
        break;
      }
    }
  }
}

TEST_CASE("Functions with several results or arguments agree with the host's", "[ci]") {
  KernelBench bench("math_functions.cu");
  const auto check = [&]<class T>(T) {
    constexpr bool kSingle = sizeof(T) == 4;
    const auto x = arguments<T>(-9, 9, 3, 331);
    const Pointer y = bench.space<T>("y", 17 * x.size());
    const Pointer whole = bench.space<int>("whole", 7 * x.size());
    bench.run_checked(kSingle ? "several<float>" : "several<double>", {{7}, {50}},
                      {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
                       Argument::pointer(whole), Argument::of(331)});
    const auto got = bench.get<T>(y, 17 * x.size());
    const auto words = bench.get<int>(whole, 7 * x.size());
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
      const T a = x[i], b = x[(i * 7 + 1) % n], c = x[(i * 5 + 2) % n], d = x[(i * 3 + 3) % n];
      CAPTURE(i, shown(a), shown(b), shown(c), shown(d));
      int e = 0, quotient = 0;
      T part = 0;
      const T mantissa = std::frexp(a, &e), fraction = std::modf(a, &part);
      const T rest = std::remquo(a, b, &quotient);
      const auto j = static_cast<int>(i);
      const Wide three = std::hypot(std::hypot(Wide(a), Wide(b)), Wide(c)),
                 four = std::hypot(three, Wide(d));
      const Wide truth[17] = {mantissa,
                              fraction,
                              part,
                              rest,
                              std::sin(Wide(a)),
                              std::cos(Wide(a)),
                              sine_of_turns(a),
                              cosine_of_turns(a),
                              std::ldexp(a, j % 90 - 45),
                              std::scalbn(a, j % 300 - 150),
                              std::fma(a, b, c),
                              three,
                              four,
                              1 / three,
                              1 / four,
                              std::hypot(four, 1.0L),
                              std::nextafter(a, b)};
      const double bound[17] = {0, 0, 0, 0, 2, 2, kSingle ? 1. : 2., kSingle ? 1. : 2., 0, 0, 0,
                                3, 3, 2, 2, 4, 0};
      for (std::size_t k = 0; k < 17; ++k) {
        if (steps<T>(got[17 * i + k], truth[k]) <= bound[k]) continue;
        CAPTURE(k, shown(got[17 * i + k]), shown(static_cast<T>(truth[k])));
        CHECK(steps<T>(got[17 * i + k], truth[k]) <= bound[k]);
      }
      const int* w = &words[7 * i];
      if (std::isfinite(a)) {
        CHECK(w[0] == e);
        CHECK(w[2] == std::ilogb(a));
        const T held = std::fmin(std::fmax(a, T(-1000000)), T(1000000));
        CHECK(w[4] == static_cast<int>(std::lrint(held)));
        CHECK(w[5] == static_cast<int>(std::llround(held)));
        if (std::isfinite(b) && b != 0) CHECK(w[1] == (quotient & 7));
      }
      CHECK(w[3] ==
            (std::isnan(a) | std::isinf(a) << 1 | std::isfinite(a) << 2 | std::signbit(a) << 3));
      CHECK(w[6] == ((a < b) | (a == b) << 1 | (a > b) << 2 | (a != b) << 3));
    }
  };
  check(0.0f);
  check(0.0);
}

TEST_CASE("Bessel functions of whole orders agree with the host's", "[ci]") {
  KernelBench bench("math_functions.cu");
  const auto check = [&]<class T>(T, double within) {
    const auto x = numbers<T>(203, T(0.5), T(20));
    const Pointer y = bench.space<T>("y", 2 * x.size());
    bench.run_checked(
        sizeof(T) == 4 ? "bessel<float>" : "bessel<double>", {{4}, {60}},
        {Argument::pointer(bench.put("x", x)), Argument::pointer(y), Argument::of(203)});
    const auto got = bench.get<T>(y, 2 * x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const int n = static_cast<int>(i % 6);
      CAPTURE(n, x[i], got[2 * i], got[2 * i + 1]);
      const Wide first = jnl(n, x[i]), second = ynl(n, x[i]);
      CHECK(std::fabs(got[2 * i] - first) <= within);
      CHECK(std::fabs(got[2 * i + 1] - second) <= within * std::fmax(1.0L, std::fabs(second)));
    }
  };
  check(0.0f, 2.2e-6);
  check(0.0, 5e-12);
}

TEST_CASE("Operations on floats and doubles round in each direction as IEEE 754 says") {
  KernelBench bench("math_functions.cu");
  const auto check = [&]<class T>(T) {
    const auto x = arguments<T>(-9, 9, 11, 501);
    const std::size_t n = x.size();
    const Pointer y = bench.space<T>("y", 28 * n);
    bench.run_checked(
        sizeof(T) == 4 ? "rounded_floats" : "rounded_doubles", {{8}, {65}},
        {Argument::pointer(bench.put("x", x)), Argument::pointer(y), Argument::of(501)});
    const auto got = bench.get<T>(y, 28 * n);
    const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    std::ptrdiff_t wrong = -1;
    for (std::size_t i = 0; i < n && wrong < 0; ++i) {
      for (std::size_t m = 0; m < 4 && wrong < 0; ++m) {
        volatile T a = x[i], b = x[(i * 7 + 1) % n], c = x[(i * 5 + 2) % n], r[7];
        std::fesetround(modes[m]);
        r[0] = a + b;
        r[1] = a - b;
        r[2] = a * b;
        r[3] = a / b;
        r[4] = std::fma(T(a), T(b), T(c));
        r[5] = T(1) / a;
        r[6] = std::sqrt(T(a));
        std::fesetround(FE_TONEAREST);
        for (std::size_t k = 0; k < 7; ++k) {
          const T g = got[28 * i + 4 * k + m], e = r[k];
          if (std::isnan(g) ? std::isnan(e) : g == e && std::signbit(g) == std::signbit(e))
            continue;
          wrong = static_cast<std::ptrdiff_t>(28 * i + 4 * k + m);
          UNSCOPED_INFO("operation " << k << ", rounding " << m << " of " << a << ", " << b << ", "
                                     << c << " gives " << g << ", not " << e);
          break;
        }
      }
    }
    CHECK(wrong == -1);
  };
  check(0.0f);
  check(0.0);
}

}  // namespace warpbook::tests::math_functions_test
