// The integer intrinsics do what one element at a time does in plain C++.
#include <algorithm>
#include <bit>
#include <catch2/generators/catch_generators.hpp>
#include <cfenv>
#include <cmath>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::integer_words_test {

using namespace warpbook::device;

namespace {

using Long = std::int64_t;
using Word = std::uint64_t;
__extension__ using Wide = __int128;
__extension__ using WideWord = unsigned __int128;
constexpr int kCount = 333;

/// Words in which limits and small numbers stand often.
std::vector<std::uint32_t> words(std::uint32_t seed) {
  std::mt19937 engine(seed);
  const std::uint8_t bytes[] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0xfe, 2};
  std::vector<std::uint32_t> w(kCount);
  for (auto& v : w) {
    v = static_cast<std::uint32_t>(engine());
    if (engine() % 2) {
      for (int k = 0; k < 4; ++k)
        if (engine() % 2) v = (v & ~(0xffu << 8 * k)) | std::uint32_t{bytes[engine() % 8]} << 8 * k;
    }
  }
  return w;
}

/// An element of `bits`, with or without a sign.
Long element(std::uint32_t word, int k, int bits, bool is_signed) {
  const std::uint32_t raw = bits == 32 ? word : word >> (k * bits) & ((1u << bits) - 1);
  if (!is_signed || !(raw >> (bits - 1) & 1)) return raw;
  return static_cast<Long>(raw) - (Long{1} << bits);
}
Long least(int bits, bool is_signed) { return is_signed ? -(Long{1} << (bits - 1)) : 0; }
Long most(int bits, bool is_signed) { return (Long{1} << (is_signed ? bits - 1 : bits)) - 1; }

/// What one element becomes; `bits` for what saturates.
using Model = Long (*)(Long a, Long b, Long c, int bits);
struct Intrinsic {
  const char* name;
  bool is_signed;
  Model model;
};

Long held(Long v, int bits, bool is_signed) {
  return std::clamp(v, least(bits, is_signed), most(bits, is_signed));
}
Long wrapped(Long v, int bits, bool is_signed) {
  return element(static_cast<std::uint32_t>(v) & static_cast<std::uint32_t>(most(bits, false)), 0,
                 bits, is_signed);
}

struct Inputs {
  explicit Inputs(KernelBench& bench)
      : arguments{Argument::pointer(bench.put("a", a)), Argument::pointer(bench.put("b", b)),
                  Argument::pointer(bench.put("c", c))} {}
  std::vector<std::uint32_t> a = words(1), b = words(2), c = words(3);
  std::vector<Argument> arguments;
  template <class T>
  std::vector<T> run(KernelBench& bench, const std::string& kernel, std::size_t each = 1) {
    const Pointer y = bench.space<T>("y", kCount * each);
    auto all = arguments;
    all.push_back(Argument::pointer(y));
    all.push_back(Argument::of(kCount));
    bench.run_checked(kernel, {{4}, {90}}, all);
    return bench.get<T>(y, kCount * each);
  }
};

}  // namespace

TEST_CASE("Each SIMD-in-a-word intrinsic treats every element as C++ does", "[ci]") {
  KernelBench bench("integer_words.cu");
  Inputs in(bench);
  const Intrinsic both[] = {
      {"vabs", true, [](Long a, Long, Long, int) { return std::abs(a); }},
      {"vabsss", true, [](Long a, Long, Long, int n) { return held(std::abs(a), n, true); }},
      {"vneg", true, [](Long a, Long, Long, int) { return -a; }},
      {"vnegss", true, [](Long a, Long, Long, int n) { return held(-a, n, true); }},
      {"vadd", false, [](Long a, Long b, Long, int) { return a + b; }},
      {"vaddss", true, [](Long a, Long b, Long, int n) { return held(a + b, n, true); }},
      {"vaddus", false, [](Long a, Long b, Long, int n) { return held(a + b, n, false); }},
      {"vsub", false, [](Long a, Long b, Long, int) { return a - b; }},
      {"vsubss", true, [](Long a, Long b, Long, int n) { return held(a - b, n, true); }},
      {"vsubus", false, [](Long a, Long b, Long, int n) { return held(a - b, n, false); }},
      {"vabsdiffs", true, [](Long a, Long b, Long, int) { return std::abs(a - b); }},
      {"vabsdiffu", false, [](Long a, Long b, Long, int) { return std::abs(a - b); }},
      {"vavgs", true, [](Long a, Long b, Long, int) { return (a + b + (a + b >= 0)) >> 1; }},
      {"vavgu", false, [](Long a, Long b, Long, int) { return (a + b + 1) >> 1; }},
      {"vhaddu", false, [](Long a, Long b, Long, int) { return (a + b) >> 1; }},
      {"vmaxs", true, [](Long a, Long b, Long, int) { return std::max(a, b); }},
      {"vmaxu", false, [](Long a, Long b, Long, int) { return std::max(a, b); }},
      {"vmins", true, [](Long a, Long b, Long, int) { return std::min(a, b); }},
      {"vminu", false, [](Long a, Long b, Long, int) { return std::min(a, b); }},
      {"vcmpeq", false, [](Long a, Long b, Long, int) { return -Long{a == b}; }},
      {"vcmpne", false, [](Long a, Long b, Long, int) { return -Long{a != b}; }},
      {"vcmpges", true, [](Long a, Long b, Long, int) { return -Long{a >= b}; }},
      {"vcmpgeu", false, [](Long a, Long b, Long, int) { return -Long{a >= b}; }},
      {"vcmpgts", true, [](Long a, Long b, Long, int) { return -Long{a > b}; }},
      {"vcmpgtu", false, [](Long a, Long b, Long, int) { return -Long{a > b}; }},
      {"vcmples", true, [](Long a, Long b, Long, int) { return -Long{a <= b}; }},
      {"vcmpleu", false, [](Long a, Long b, Long, int) { return -Long{a <= b}; }},
      {"vcmplts", true, [](Long a, Long b, Long, int) { return -Long{a < b}; }},
      {"vcmpltu", false, [](Long a, Long b, Long, int) { return -Long{a < b}; }},
      {"vseteq", false, [](Long a, Long b, Long, int) { return Long{a == b}; }},
      {"vsetne", false, [](Long a, Long b, Long, int) { return Long{a != b}; }},
      {"vsetges", true, [](Long a, Long b, Long, int) { return Long{a >= b}; }},
      {"vsetgeu", false, [](Long a, Long b, Long, int) { return Long{a >= b}; }},
      {"vsetgts", true, [](Long a, Long b, Long, int) { return Long{a > b}; }},
      {"vsetgtu", false, [](Long a, Long b, Long, int) { return Long{a > b}; }},
      {"vsetles", true, [](Long a, Long b, Long, int) { return Long{a <= b}; }},
      {"vsetleu", false, [](Long a, Long b, Long, int) { return Long{a <= b}; }},
      {"vsetlts", true, [](Long a, Long b, Long, int) { return Long{a < b}; }},
      {"vsetltu", false, [](Long a, Long b, Long, int) { return Long{a < b}; }},
  };
  for (const Intrinsic& f : both) {
    for (const int bits : {16, 8}) {
      const std::string name = std::string("at___") + f.name + (bits == 16 ? "2" : "4");
      std::vector<std::uint32_t> expected(kCount);
      for (std::size_t i = 0; i < kCount; ++i) {
        for (int k = 0; k < 32 / bits; ++k) {
          const Long v = f.model(element(in.a[i], k, bits, f.is_signed),
                                 element(in.b[i], k, bits, f.is_signed), 0, bits);
          expected[i] |= static_cast<std::uint32_t>(v & most(bits, false)) << (k * bits);
        }
      }
      CAPTURE(name);
      CHECK(first_difference(in.run<std::uint32_t>(bench, name), expected) == -1);
    }
  }
  // Sums of differences: one number for the word.
  for (const bool is_signed : {false, true}) {
    for (const int bits : {16, 8}) {
      std::vector<std::uint32_t> expected(kCount);
      for (std::size_t i = 0; i < kCount; ++i) {
        for (int k = 0; k < 32 / bits; ++k)
          expected[i] += static_cast<std::uint32_t>(std::abs(element(in.a[i], k, bits, is_signed) -
                                                             element(in.b[i], k, bits, is_signed)));
      }
      const std::string name =
          std::string("at___vsad") + (is_signed ? "s" : "u") + (bits == 16 ? "2" : "4");
      CAPTURE(name);
      CHECK(first_difference(in.run<std::uint32_t>(bench, name), expected) == -1);
    }
  }
}

TEST_CASE("The intrinsics for dynamic programming add, choose and clip each element", "[ci]") {
  KernelBench bench("integer_words.cu");
  Inputs in(bench);
  struct Chooser {
    const char* name;
    Model model;
    bool takes_relu;
  };
  const Chooser all[] = {
      {"viaddmax", [](Long a, Long b, Long c, int) { return std::max(a + b, c); }, true},
      {"viaddmin", [](Long a, Long b, Long c, int) { return std::min(a + b, c); }, true},
      {"vimax3",
       [](Long a, Long b, Long c, int) {
         return std::max({a, b, c});
       },
       true},
      {"vimin3",
       [](Long a, Long b, Long c, int) {
         return std::min({a, b, c});
       },
       true},
  };
  const auto run = [&](const std::string& name, int bits, bool is_signed, bool relu, Model model,
                       bool adds) {
    std::vector<std::uint32_t> expected(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      for (int k = 0; k < 32 / bits; ++k) {
        Long a = element(in.a[i], k, bits, is_signed), b = element(in.b[i], k, bits, is_signed);
        if (adds)
          a = wrapped(a + b, bits, is_signed), b = 0;  // the sum wraps before it is compared
        Long v = model(a, b, element(in.c[i], k, bits, is_signed), bits);
        if (relu) v = std::max(v, Long{0});
        expected[i] |= static_cast<std::uint32_t>(v & most(bits, false))
                       << (bits == 32 ? 0 : k * bits);
      }
    }
    CAPTURE(name);
    CHECK(first_difference(in.run<std::uint32_t>(bench, name), expected) == -1);
  };
  for (const Chooser& f : all) {
    const bool adds = std::string_view(f.name).starts_with("viadd");
    for (const char* type : {"s16x2", "u16x2", "s32", "u32"}) {
      const bool is_signed = type[0] == 's';
      const int bits = type[1] == '1' ? 16 : 32;
      const std::string name = std::string("at___") + f.name + "_" + type;
      run(name, bits, is_signed, false, f.model, adds);
      if (is_signed) run(name + "_relu", bits, true, true, f.model, adds);
    }
  }
  const Model larger = [](Long a, Long b, Long, int) { return std::max(a, b); };
  const Model smaller = [](Long a, Long b, Long, int) { return std::min(a, b); };
  run("at___vimax_s16x2_relu", 16, true, true, larger, false);
  run("at___vimin_s16x2_relu", 16, true, true, smaller, false);
  run("at___vimax_s32_relu", 32, true, true, larger, false);
  run("at___vimin_s32_relu", 32, true, true, smaller, false);
  // With the answer whether the first one won, ties included.
  for (const bool max : {true, false}) {
    for (const char* type : {"s16x2", "u16x2", "s32", "u32"}) {
      const bool is_signed = type[0] == 's';
      const int bits = type[1] == '1' ? 16 : 32;
      std::vector<Word> expected(kCount);
      for (std::size_t i = 0; i < kCount; ++i) {
        for (int k = 0; k < 32 / bits; ++k) {
          const Long a = element(in.a[i], k, bits, is_signed),
                     b = element(in.b[i], k, bits, is_signed);
          const bool first = max ? a >= b : a <= b;
          expected[i] |= static_cast<Word>((first ? a : b) & most(bits, false)) << (k * bits);
          expected[i] |= Word{first} << (32 + k);
        }
      }
      const std::string name = std::string(max ? "at___vibmax_" : "at___vibmin_") + type;
      CAPTURE(name);
      CHECK(first_difference(in.run<Word>(bench, name), expected) == -1);
    }
  }
}

TEST_CASE("Integer intrinsics count, permute, shift and multiply as written out by hand") {
  KernelBench bench("integer_words.cu");
  Inputs in(bench);
  std::vector<Word> expected;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::uint32_t a = in.a[i], b = in.b[i], c = in.c[i];
    const auto s = static_cast<std::int32_t>(a), t = static_cast<std::int32_t>(b);
    const Word w = Word{a} << 32 | b, v = Word{c} << 32 | a;
    const auto lw = static_cast<Long>(w), lv = static_cast<Long>(v);
    Word reversed = 0;
    for (int k = 0; k < 64; ++k) reversed |= (w >> k & 1) << (63 - k);
    std::uint32_t permuted = 0;
    for (int k = 0; k < 4; ++k) {
      const std::uint32_t pick = c >> (4 * k) & 15;
      std::uint32_t byte =
          static_cast<std::uint32_t>((Word{b} << 32 | a) >> (8 * (pick & 7))) & 0xff;
      permuted |= byte << (8 * k);
    }
    const auto signed24 = [](std::uint32_t x) {
      return static_cast<Long>(static_cast<std::int32_t>(x << 8) >> 8);
    };
    const Word pair = Word{b} << 32 | a;
    const auto dot = [&](int width, bool is_signed, int from) {
      Long sum = is_signed ? Long{static_cast<std::int32_t>(c)} : Long{c};
      for (int k = 0; k < (width == 8 ? 4 : 2); ++k)
        sum += element(a, k, width, is_signed) * element(b, from + k, 8, is_signed);
      return static_cast<Word>(static_cast<std::uint32_t>(sum));
    };
    // The n-th set bit from `base` on, upwards or downwards; 0: the bit at base itself.
    const int base = static_cast<int>(c % 32), nth = static_cast<int>(b % 9) - 4;
    std::uint32_t found = 0xffffffff;
    if (nth == 0) {
      if (a >> base & 1) found = static_cast<std::uint32_t>(base);
    } else {
      int left = std::abs(nth);
      for (int at = base; at >= 0 && at<32; at += nth> 0 ? 1 : -1) {
        if ((a >> at & 1) && --left == 0) {
          found = static_cast<std::uint32_t>(at);
          break;
        }
      }
    }
    const std::uint32_t clamped = std::min(c % 70, 32u);
    const std::vector<Word> row = {
        reversed & 0xffffffff,  // of the high word, a
        reversed,
        static_cast<Word>(std::countl_zero(a)),
        static_cast<Word>(std::countl_zero(w)),
        a ? static_cast<Word>(std::countr_zero(a) + 1) : 0,
        w ? static_cast<Word>(std::countr_zero(w) + 1) : 0,
        static_cast<Word>(std::popcount(a)),
        static_cast<Word>(std::popcount(w)),
        permuted,
        static_cast<std::uint32_t>((Long{s} + t) >> 1),
        static_cast<std::uint32_t>((Long{s} + t + 1) >> 1),
        static_cast<std::uint32_t>((Word{a} + b) >> 1),
        static_cast<std::uint32_t>((Word{a} + b + 1) >> 1),
        static_cast<std::uint32_t>(signed24(a) * signed24(b)),
        static_cast<std::uint32_t>(Word{a & 0xffffff} * (b & 0xffffff)),
        static_cast<std::uint32_t>(static_cast<Word>(Long{s} * t) >> 32),
        Word{a} * b >> 32,
        static_cast<Word>(static_cast<WideWord>(static_cast<Wide>(lw) * lv) >> 64),
        static_cast<Word>(static_cast<WideWord>(w) * v >> 64),
        static_cast<std::uint32_t>(std::abs(Long{s} - t) + c),
        static_cast<std::uint32_t>(std::abs(Long{a} - Long{b}) + c),
        static_cast<std::uint32_t>(pair << (c & 31) >> 32),
        clamped == 32 ? a : static_cast<std::uint32_t>(pair << clamped >> 32),
        static_cast<std::uint32_t>(pair >> (c & 31)),
        clamped == 32 ? b : static_cast<std::uint32_t>(pair >> clamped),
        dot(8, true, 0),
        dot(8, false, 0),
        dot(16, true, 0),
        dot(16, false, 0),
        dot(16, true, 2),
        dot(16, false, 2),
        found,
        static_cast<std::uint32_t>(std::min(s, t)) | Word{std::max(a, b)} << 32,
        static_cast<Word>(std::min(lw, lv)),
        std::max(w, v),
        lw < 0 ? 0 - w : w,
        static_cast<Word>(lw / (lv | 1)),
        w % (v | 1),
        static_cast<std::uint32_t>(Long{s} / (t | 1)) | Word{a % (b | 1)} << 32,
        static_cast<Word>(lw >> (c & 63)) ^ w << (c & 63) ^ w >> (c & 63)};
    expected.insert(expected.end(), row.begin(), row.end());
  }
  CHECK(first_difference(in.run<Word>(bench, "integers", 40), expected) == -1);
}

TEST_CASE("128-bit integers add, multiply, divide, shift, compare and convert as the host's") {
  KernelBench bench("integer_words.cu");
  std::mt19937_64 engine(5);
  std::vector<Word> x = {0, 1, ~Word{0}, Word{1} << 63, (Word{1} << 63) - 1, 2, 0xffffffff};
  while (x.size() < 211) x.push_back(engine() >> (engine() % 3 ? 0 : engine() % 64));
  const std::size_t n = x.size();
  const Pointer y = bench.space<Word>("y", 32 * n);
  bench.run_checked(
      "wide_integers", {{3}, {77}},
      {Argument::pointer(bench.put("x", x)), Argument::pointer(y), Argument::of(211)});
  std::vector<Word> expected;
  const auto put = [&](WideWord v) {
    expected.push_back(static_cast<Word>(v));
    expected.push_back(static_cast<Word>(v >> 64));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const WideWord a = WideWord{x[i]} << 64 | x[(i + 1) % n],
                   b = WideWord{x[(i * 3 + 2) % n]} << 64 | x[(i * 5 + 1) % n];
    const auto s = static_cast<Wide>(a), t = static_cast<Wide>(b);
    const int by = static_cast<int>(x[(i + 7) % n] & 127);
    put(a + b);
    put(a - b);
    put(a * b);
    put(a / (b >> by | 1));
    put(a % (b >> by | 1));
    put(static_cast<WideWord>(s / (t >> by | 1)));
    put(static_cast<WideWord>(s % (t >> by | 1)));
    put(a << by);
    put(a >> by);
    put(static_cast<WideWord>(s >> by));
    put((a & b) ^ (a | ~b));
    put(0 - a);
    expected.push_back(Word{a < b} | Word{s < t} << 1 | Word{a == b} << 2 | Word{s >= t} << 3);
    expected.push_back(std::bit_cast<Word>(static_cast<double>(a)));
    expected.push_back(std::bit_cast<Word>(static_cast<double>(s)));
    expected.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(x[i])));
    put(static_cast<WideWord>(static_cast<double>(x[i]) * 1048576.0 * 1048576.0));
    expected.push_back(static_cast<Word>(s > 0 ? s % 1000003 : -(s % 1000003)));
    expected.push_back(static_cast<Word>((a * 10) >> 100));
  }
  CHECK(first_difference(bench.get<Word>(y, 32 * n), expected) == -1);
}

TEST_CASE(
    "Conversions round in the direction that their name says, and stop at the type's limits") {
  KernelBench bench("integer_words.cu");
  std::vector<double> x = {
      0,        -0.0,       0.5,          -0.5,           1.5,          2.5,      -2.5,
      1e-300,   -1e-300,    2147483647.5, -2147483648.5,  4294967295.5, 1e10,     -1e10,
      9.3e18,   -9.3e18,    1.9e19,       1e300,          -1e300,       INFINITY, -INFINITY,
      0x1p-149, 0x1.8p-150, 3.5e38,       0x1.fffffefp127};
  for (const double v : numbers<double>(150, -100, 100)) x.push_back(v);
  for (const double v : numbers<double>(150, -1e19, 2e19, 2)) x.push_back(v);
  const std::size_t n = x.size();
  std::vector<Word> w(n);
  std::mt19937_64 engine(9);
  for (auto& v : w) v = engine() >> (engine() % 64);
  const Pointer y = bench.space<Word>("y", 63 * n);
  bench.run_checked("casts", {{6}, {64}},
                    {Argument::pointer(bench.put("x", x)), Argument::pointer(bench.put("w", w)),
                     Argument::pointer(y), Argument::of(static_cast<int>(n))});
  std::vector<Word> expected;
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  const auto whole = [&](double v, int mode, int bits, bool is_signed) {
    std::fesetround(modes[mode]);
    volatile double kept = v;
    const double r = std::nearbyint(kept);
    std::fesetround(FE_TONEAREST);
    const double low = is_signed ? -std::ldexp(1.0, bits - 1) : 0;
    const double over = std::ldexp(1.0, is_signed ? bits - 1 : bits);
    const Word top = bits == 64 ? (is_signed ? ~Word{0} >> 1 : ~Word{0})
                                : (Word{1} << (is_signed ? bits - 1 : bits)) - 1;
    if (r >= over) return top;
    return r <= low    ? static_cast<Word>(static_cast<Long>(low))
           : is_signed ? static_cast<Word>(static_cast<Long>(r))
                       : static_cast<Word>(r);
  };
  const auto in_mode = [&](int mode, auto from, auto to) {
    std::fesetround(modes[mode]);
    volatile decltype(from) kept = from;
    volatile decltype(to) r = static_cast<decltype(to)>(kept);
    std::fesetround(FE_TONEAREST);
    return decltype(to)(r);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double d = x[i];
    const auto f = static_cast<float>(d);
    const auto each = [&](auto make) {
      for (int m = 0; m < 4; ++m) expected.push_back(make(m));
    };
    for (const double v : {double{f}, d}) {
      for (const int bits : {32, 64}) {
        each([&](int m) { return whole(v, m, bits, true); });
        each([&](int m) { return whole(v, m, bits, false); });
      }
    }
    const auto single = [](float v) { return Word{std::bit_cast<std::uint32_t>(v)}; };
    each([&](int m) { return single(in_mode(m, d, 0.0f)); });
    each([&](int m) { return single(in_mode(m, static_cast<std::int32_t>(w[i]), 0.0f)); });
    each([&](int m) { return single(in_mode(m, static_cast<std::uint32_t>(w[i]), 0.0f)); });
    each([&](int m) { return single(in_mode(m, static_cast<Long>(w[i]), 0.0f)); });
    each([&](int m) {
      // The host halves large unsigned words and loses the rounding; long double holds any word.
      return single(in_mode(m, static_cast<long double>(w[i]), 0.0f));
    });
    each([&](int m) { return std::bit_cast<Word>(in_mode(m, static_cast<Long>(w[i]), 0.0)); });
    each([&](int m) {
      return std::bit_cast<Word>(in_mode(m, static_cast<long double>(w[i]), 0.0));
    });
    expected.push_back(std::bit_cast<Word>(double(static_cast<std::int32_t>(w[i]))));
    expected.push_back(std::bit_cast<Word>(double(static_cast<std::uint32_t>(w[i]))));
    expected.push_back(std::bit_cast<Word>(d) ^ Word{1} << 63);
  }
  CHECK(first_difference(bench.get<Word>(y, 63 * n), expected) == -1);
}

}  // namespace warpbook::tests::integer_words_test
