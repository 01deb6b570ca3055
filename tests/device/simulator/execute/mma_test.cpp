// mma and mma.sp in every form for sm_90 and below against the ISA's layouts and plain loops.
#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <cfenv>
#include <functional>
#include <random>

#include "tests/device/simulator/execute/matrix_model.hpp"
#include "tests/device/simulator/ptx_bench.hpp"

#include <fmt/format.h>

namespace warpbook::device::tests::mma_test {
namespace {

constexpr int kTrials = 6;

/// The registers of 32 lanes, one word of 64 bits each, register after register.
using Registers = std::vector<std::uint64_t>;

struct Form {
  MmaShape shape;
  std::string d, a, b, c;
  bool sparse = false;
  int selector = 0;
  std::string more_front, more_back;  ///< modifiers before and after the types
  std::string variant = ".sp";
  [[nodiscard]] int kept() const { return sparse ? shape.k / 2 : shape.k; }
  [[nodiscard]] std::string text(const std::string& layouts) const {
    return fmt::format("mma{}.sync.aligned.{}.{}{}.{}.{}.{}.{}{}", sparse ? variant : "",
                       shape.text(), layouts, more_front, d, a, b, c, more_back);
  }
};

int registers_of(int elements, const std::string& e) {
  return e == "f64" ? elements / 32 : elements * bits_of_element(e) / 1024;
}

/// A kernel of one instruction whose operands come from, and whose result goes to, [block][register][lane].
std::string kernel_of(const std::string& instruction, const std::vector<int>& counts,
                      const std::vector<std::string>& types, const std::string& tail) {
  const std::string names = "dabcm";
  std::string declared, loads, stores, operands;
  int slot = 0;
  for (std::size_t o = 0; o < counts.size(); ++o) {
    const int width = types[o] == "f64" ? 64 : 32;
    const std::string type = types[o] == "f64" ? "f64" : types[o] == "f32" ? "f32" : "b32";
    declared += fmt::format(".reg .{} %{}<{}>;\n", type, names[o], counts[o]);
    std::string list;
    for (int r = 0; r < counts[o]; ++r) {
      list += fmt::format("{}%{}{}", r ? ", " : "", names[o], r);
      if (o == 0)
        stores += fmt::format("st.global.b{} [%y+{}], %d{};\n", width, r * 256, r);
      else
        loads += fmt::format("ld.global.b{} %{}{}, [%x+{}];\n", width, names[o], r, slot++ * 256);
    }
    operands += fmt::format("{}{}", o ? ", " : "", o < 4 ? "{" + list + "}" : list);
  }
  return fmt::format(
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{{\n{}.reg .b32 %t, %u;\n.reg .b64 %x, "
      "%y;\nld.param.u64 %x, [in];\nld.param.u64 %y, [out];\nmov.u32 %t, %tid.x;\nmov.u32 %u, "
      "%ctaid.x;\nmad.wide.u32 %x, %u, {}, %x;\nmad.wide.u32 %y, %u, {}, %y;\nmad.wide.u32 %x, %t, "
      "8, %x;\nmad.wide.u32 %y, %t, 8, %y;\n{}{} {}{};\n{}ret;\n}}\n",
      declared, slot * 256, counts[0] * 256, loads, instruction, operands, tail, stores);
}

std::uint64_t element_in(const Registers& r, std::size_t first, int lane, int i,
                         const std::string& e) {
  const int bits = bits_of_element(e), n = e == "f64" ? 1 : 32 / bits;
  const std::uint64_t word =
      r[(first + static_cast<std::size_t>(i / n)) * 32 + static_cast<std::size_t>(lane)];
  return bits == 64 ? word : word >> (i % n * bits) & ((std::uint64_t{1} << bits) - 1);
}

/// Words whose elements are small whole numbers, edge values or anything.
std::uint64_t word_of(const std::string& e, int trial, std::mt19937_64& random) {
  if (bits_of_element(e) < 16 && e[0] != 'e') return random() & 0xffffffff;
  if (e == "s32") {
    const std::uint64_t edges[] = {0, 0x7fffffff, 0x80000000, 0x7fffff00, 0x80000100, 5};
    return trial % 2 ? edges[random() % 6] : random() & 0xffffffff;
  }
  if (e == "f64") {
    const double edges[] = {0.0, -0.0, 1.0, -3.5, 1e308, -1e308, 5e-324, 1e-300, INFINITY};
    return std::bit_cast<std::uint64_t>(
        trial < 2 ? static_cast<double>(static_cast<int>(random() % 2001) - 1000) / 7
                  : edges[random() % (trial == 5 ? 9 : 8)]);
  }
  const int bits = bits_of_element(e);
  std::uint64_t word = 0;
  for (int at = 0; at < 32; at += bits) {
    std::uint64_t v = random();
    if (trial < 2) {
      // Exact in every format: a few halves.
      const std::uint64_t f16[] = {0, 0x3c00, 0xbc00, 0x4000, 0x3800, 0xc200};
      const std::uint64_t bf16[] = {0, 0x3f80, 0xbf80, 0x4000, 0x3f00, 0xc040};
      const std::uint64_t e4m3[] = {0, 0x38, 0xb8, 0x40, 0x30, 0xc4};
      const std::uint64_t e5m2[] = {0, 0x3c, 0xbc, 0x40, 0x38, 0xc2};
      v = e == "f16"    ? f16[v % 6]
          : e == "bf16" ? bf16[v % 6]
          : e == "e4m3" ? e4m3[v % 6]
          : e == "e5m2" ? e5m2[v % 6]
                        : bf16[v % 6] << 16;
    } else if (trial == 2) {
      // Nothing special, so that sums are finite.
      const auto exponent = static_cast<std::uint64_t>(v % 8);
      v = v >> 8;
      if (e == "f16") v = (v & 0x83ff) | (11 + exponent) << 10;
      if (e == "bf16") v = (v & 0x807f) | (122 + exponent) << 7;
      if (e == "tf32" || e == "f32") v = (v & 0x807fffff) | (122 + exponent) << 23;
      if (e == "e4m3") v = (v & 0x87) | exponent << 3;
      if (e == "e5m2") v = (v & 0x83) | (11 + exponent) << 2;
    } else if (trial == 3) {
      // Zeros of both signs, subnormals and the greatest.
      const std::uint64_t sign = (v & 1) << (bits - 1), kind = v >> 1 & 3;
      const std::uint64_t greatest = e == "f16"    ? 0x7bff
                                     : e == "bf16" ? 0x3f7f
                                     : e == "e4m3" ? 0x7e
                                     : e == "e5m2" ? 0x7b
                                                   : 0x3f7fffff;
      v = sign | (kind == 0 ? 0 : kind == 1 ? 1 : kind == 2 ? greatest : greatest >> 1);
    }
    word |= (v & ((std::uint64_t{1} << bits) - 1)) << at;
  }
  return word;
}

std::uint32_t metadata_word(const std::string& e, std::mt19937_64& random) {
  const std::uint32_t pairs[] = {0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110};
  const std::uint32_t singles[] = {0b0100, 0b1110};
  std::uint32_t word = 0;
  for (int at = 0; at < 32; at += 4)
    word |= (e == "tf32" ? singles[random() % 2] : pairs[random() % 6]) << at;
  return word;
}

/// One element of D as the ISA and the order of accumulation that the simulator promises have it.
std::uint64_t expected_element(const Form& f, const std::vector<double>& a,
                               const std::vector<double>& b, double c, int rounding) {
  if (f.d == "s32") {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const auto x = static_cast<std::int64_t>(a[k]), y = static_cast<std::int64_t>(b[k]);
      sum += f.a != "b1" ? x * y : f.more_back.find("xor") != std::string::npos ? x ^ y : x & y;
    }
    sum += static_cast<std::int64_t>(c);
    if (f.more_front.find("satfinite") != std::string::npos)
      sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::max());
    return static_cast<std::uint32_t>(sum);
  }
  if (f.d == "f64") {
    double sum = c;
    const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(modes[rounding]);
    for (std::size_t k = 0; k < a.size(); ++k) {
      volatile double x = a[k], y = b[k], z = sum;
      volatile double r = std::fma(x, y, z);
      sum = r;
    }
    std::fesetround(FE_TONEAREST);
    return std::bit_cast<std::uint64_t>(sum);
  }
  auto sum = static_cast<float>(c);
  for (std::size_t k = 0; k < a.size(); ++k) {
    const float p = static_cast<float>(a[k]) * static_cast<float>(b[k]);
    sum = sum + p;
  }
  if (f.d == "f16") return half_of(sum);
  return std::isnan(sum) ? 0x7fffffff : std::bit_cast<std::uint32_t>(sum);
}

/// What any implementation may differ from the exact sum by: the ISA asks for single precision at least.
bool near_exact(const Form& f, const std::vector<double>& a, const std::vector<double>& b, double c,
                std::uint64_t got) {
  long double exact = c, magnitude = std::fabs(static_cast<long double>(c));
  for (std::size_t k = 0; k < a.size(); ++k) {
    const long double p = static_cast<long double>(a[k]) * b[k];
    exact += p;
    magnitude += std::fabs(p);
  }
  if (std::isnan(exact) || magnitude > 1e38L || (f.d == "f16" && magnitude > 60000)) return true;
  const auto v = static_cast<long double>(value_of(f.d, got));
  const long double single = magnitude * static_cast<long double>(a.size() + 1) * 0x1p-24L + 1e-37L;
  return std::fabs(v - exact) <=
         single + (f.d == "f16" ? std::fabs(exact) * 0x1p-11L + 0x1p-24L : 0);
}

void check_form(const Form& f, const std::string& layouts = "row.col", int rounding = 0) {
  const bool quads = f.shape.m == 8 && f.a == "f16";
  const int products = quads ? 4 : 1;
  const std::string instruction = f.text(layouts);
  CAPTURE(instruction);
  std::vector<int> counts = {registers_of(f.shape.m * f.shape.n * products, f.d),
                             registers_of(f.shape.m * f.kept() * products, f.a),
                             registers_of(f.shape.k * f.shape.n * products, f.b),
                             registers_of(f.shape.m * f.shape.n * products, f.c)};
  std::vector<std::string> types = {f.d, f.a, f.b, f.c};
  if (f.sparse) {
    counts.push_back(1);
    types.emplace_back("b32");
  }
  const std::string text =
      kernel_of(instruction, counts, types, f.sparse ? fmt::format(", {}", f.selector) : "");
  std::mt19937_64 random(11);
  std::vector<Registers> in(kTrials);
  Registers all;
  for (int trial = 0; trial < kTrials; ++trial) {
    for (std::size_t o = 1; o < counts.size(); ++o) {
      for (int w = 0; w < counts[o] * 32; ++w)
        in[static_cast<std::size_t>(trial)].push_back(o < 4 ? word_of(types[o], trial, random)
                                                            : metadata_word(f.a, random));
    }
    all.insert(all.end(), in[static_cast<std::size_t>(trial)].begin(),
               in[static_cast<std::size_t>(trial)].end());
  }
  Registers previous;
  for (const HandlerSet set : {HandlerSet::sse2, HandlerSet::avx2}) {
    PtxBench bench(text, set);
    const std::size_t size = static_cast<std::size_t>(counts[0]) * 32;
    const Pointer from = bench.buffer("in", all),
                  to = bench.buffer("out", Registers(size * kTrials));
    const LaunchRecord record = bench.good({kTrials, 1, 1}, {32, 1, 1}, from, to);
    CHECK(record.total.tensor_operations == kTrials);
    CHECK(record.findings_total == 0);
    const Registers got = bench.read<std::uint64_t>(to, size * kTrials);
    if (!previous.empty()) REQUIRE((previous == got));
    previous = got;
  }

  const auto m = static_cast<std::size_t>(f.shape.m), n = static_cast<std::size_t>(f.shape.n),
             k = static_cast<std::size_t>(f.shape.k);
  for (int trial = 0; trial < kTrials; ++trial) {
    const Registers& r = in[static_cast<std::size_t>(trial)];
    const std::size_t b_first = static_cast<std::size_t>(counts[1]),
                      c_first = b_first + static_cast<std::size_t>(counts[2]),
                      m_first = c_first + static_cast<std::size_t>(counts[3]);
    std::vector<std::uint32_t> metadata(32);
    if (f.sparse) {
      for (std::size_t l = 0; l < 32; ++l)
        metadata[l] = static_cast<std::uint32_t>(r[m_first * 32 + l]);
    }
    for (int q = 0; q < products; ++q) {
      // By row and compressed column, with the k that each column stands for.
      std::vector<double> a(m * k), b(k * n), c(m * n);
      std::vector<int> column(m * k);
      const auto lanes = [&](auto&& visit) {
        for (int lane = 0; lane < 32; ++lane) {
          if (!quads || lane / 4 % 4 == q) visit(lane);
        }
      };
      const auto kept = static_cast<std::size_t>(f.kept());
      const int bits_a = bits_of_element(f.a);
      lanes([&](int lane) {
        const bool low = lane < 16;
        for (int i = 0; i < counts[1] * (bits_a == 64 ? 1 : 32 / bits_a); ++i) {
          Place p = quads ? layouts.substr(0, 3) == "row" ? Place{low ? lane % 4 : lane % 4 + 4, i}
                                                          : Place{low ? i % 4 : i % 4 + 4, lane % 4}
                          : place_of_a({f.shape.m, f.shape.n, f.kept()}, f.a, lane, i);
          a[static_cast<std::size_t>(p.row) * kept + static_cast<std::size_t>(p.column)] =
              value_of(f.a, element_in(r, 0, lane, i, f.a));
        }
        for (int i = 0; i < counts[2] * (bits_a == 64 ? 1 : 32 / bits_a); ++i) {
          Place p = quads ? layouts.substr(4) == "row" ? Place{lane % 4, low ? i : i + 4}
                                                       : Place{i, low ? lane % 4 : lane % 4 + 4}
                          : place_of_b(f.b, lane, i);
          b[static_cast<std::size_t>(p.row) * n + static_cast<std::size_t>(p.column)] =
              value_of(f.b, element_in(r, b_first, lane, i, f.b));
        }
      });
      const auto accumulator = [&](const std::string& e, int lane, int i) {
        if (!quads) return place_of_c(f.shape, lane, i);
        const int high = lane < 16 ? 0 : 4;
        if (e == "f16") return Place{lane % 4 + high, i};
        return Place{(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)};
      };
      const auto elements = [&](std::size_t operand, const std::string& e) {
        return counts[operand] * (e == "f16" ? 2 : 1);
      };
      lanes([&](int lane) {
        for (int i = 0; i < elements(3, f.c); ++i) {
          const Place p = accumulator(f.c, lane, i);
          c[static_cast<std::size_t>(p.row) * n + static_cast<std::size_t>(p.column)] =
              value_of(f.c, element_in(r, c_first, lane, i, f.c));
        }
      });
      for (std::size_t row = 0; row < m; ++row) {
        for (std::size_t j = 0; j < kept; ++j)
          column[row * kept + j] =
              f.sparse ? column_in_sparse(f.shape, f.a, f.selector, metadata, static_cast<int>(row),
                                          static_cast<int>(j))
                       : static_cast<int>(j);
      }
      bool failed = false;
      lanes([&](int lane) {
        for (int i = 0; i < elements(0, f.d) && !failed; ++i) {
          const Place p = accumulator(f.d, lane, i);
          const auto row = static_cast<std::size_t>(p.row),
                     col = static_cast<std::size_t>(p.column);
          std::vector<double> left, right;
          for (std::size_t j = 0; j < kept; ++j) {
            left.push_back(a[row * kept + j]);
            right.push_back(b[static_cast<std::size_t>(column[row * kept + j]) * n + col]);
          }
          const double start = c[row * n + col];
          Registers block(previous.begin() + trial * counts[0] * 32,
                          previous.begin() + (trial + 1) * counts[0] * 32);
          std::uint64_t got = element_in(block, 0, lane, i, f.d);
          std::uint64_t want = expected_element(f, left, right, start, rounding);
          if (f.d == "f64" && std::isnan(std::bit_cast<double>(want)))
            want = got = std::isnan(std::bit_cast<double>(got)) ? 0 : 1;
          const bool close = f.d == "s32" || f.d == "f64" || near_exact(f, left, right, start, got);
          if (got == want && close) continue;
          failed = true;
          FAIL_CHECK(fmt::format("trial {} row {} column {}: got {:#x}, want {:#x}{}", trial, row,
                                 col, got, want, close ? "" : "; far from exact"));
        }
      });
    }
  }
}

}  // namespace

TEST_CASE("mma of halves, bfloat16, tf32 and fp8 multiplies as the ISA lays the matrices out") {
  for (const MmaShape shape : {MmaShape{16, 8, 8}, MmaShape{16, 8, 16}}) {
    check_form({shape, "f32", "f16", "f16", "f32"});
    check_form({shape, "f16", "f16", "f16", "f16"});
    check_form({shape, "f32", "bf16", "bf16", "f32"});
  }
  for (const int k : {4, 8}) check_form({{16, 8, k}, "f32", "tf32", "tf32", "f32"});
  for (const int k : {16, 32}) {
    for (const std::string a : {"e4m3", "e5m2"}) {
      for (const std::string b : {"e4m3", "e5m2"}) {
        check_form({{16, 8, k}, "f32", a, b, "f32"});
        check_form({{16, 8, k}, "f16", a, b, "f16"});
      }
    }
  }
}

TEST_CASE("mma.m8n8k4 of halves makes four products among pairs of quads, in every layout") {
  for (const std::string layouts : {"row.row", "row.col", "col.row", "col.col"}) {
    check_form({{8, 8, 4}, "f32", "f16", "f16", "f32"}, layouts);
    check_form({{8, 8, 4}, "f32", "f16", "f16", "f16"}, layouts);
    check_form({{8, 8, 4}, "f16", "f16", "f16", "f16"}, layouts);
  }
}

TEST_CASE("mma of doubles is a chain of fused multiply-adds in every rounding") {
  for (const MmaShape shape :
       {MmaShape{8, 8, 4}, MmaShape{16, 8, 4}, MmaShape{16, 8, 8}, MmaShape{16, 8, 16}}) {
    check_form({shape, "f64", "f64", "f64", "f64"});
    int rounding = 0;
    for (const std::string mode : {".rn", ".rz", ".rm", ".rp"})
      check_form({shape, "f64", "f64", "f64", "f64", false, 0, mode}, "row.col", rounding++);
  }
}

TEST_CASE("mma of integers is exact, wraps or saturates") {
  const std::string saturate = GENERATE(as<std::string>{}, "", ".satfinite");
  for (const std::string a : {"s8", "u8"}) {
    for (const std::string b : {"s8", "u8"}) {
      for (const MmaShape shape : {MmaShape{8, 8, 16}, MmaShape{16, 8, 16}, MmaShape{16, 8, 32}})
        check_form({shape, "s32", a, b, "s32", false, 0, saturate});
    }
  }
  for (const std::string a : {"s4", "u4"}) {
    for (const std::string b : {"s4", "u4"}) {
      for (const MmaShape shape : {MmaShape{8, 8, 32}, MmaShape{16, 8, 32}, MmaShape{16, 8, 64}})
        check_form({shape, "s32", a, b, "s32", false, 0, saturate});
    }
  }
}

TEST_CASE("mma of bits counts what xor or and leaves") {
  for (const std::string op : {".xor.popc", ".and.popc"}) {
    for (const MmaShape shape : {MmaShape{8, 8, 128}, MmaShape{16, 8, 128}, MmaShape{16, 8, 256}})
      check_form({shape, "s32", "b1", "b1", "s32", false, 0, "", op});
  }
}

TEST_CASE("mma.sp multiplies only what its metadata names, whoever of the lanes holds it") {
  for (const std::string e : {"f16", "bf16"}) {
    for (int f = 0; f < 4; ++f) check_form({{16, 8, 16}, "f32", e, e, "f32", true, f});
    for (int f = 0; f < 2; ++f) check_form({{16, 8, 32}, "f32", e, e, "f32", true, f});
  }
  check_form({{16, 8, 16}, "f16", "f16", "f16", "f16", true, 3});
  check_form({{16, 8, 32}, "f16", "f16", "f16", "f16", true, 1});
  for (int f = 0; f < 4; ++f) check_form({{16, 8, 8}, "f32", "tf32", "tf32", "f32", true, f});
  for (int f = 0; f < 2; ++f) check_form({{16, 8, 16}, "f32", "tf32", "tf32", "f32", true, f});
  check_form({{16, 8, 64}, "f32", "e4m3", "e5m2", "f32", true});
  check_form({{16, 8, 32}, "f32", "f16", "f16", "f32", true, 1, "", "", ".sp::ordered_metadata"});
  for (const std::string saturate : {"", ".satfinite"}) {
    for (int f = 0; f < 2; ++f) {
      check_form({{16, 8, 32}, "s32", "s8", "u8", "s32", true, f, saturate});
      check_form({{16, 8, 64}, "s32", "u4", "s4", "s32", true, f, saturate});
    }
    check_form({{16, 8, 64}, "s32", "u8", "s8", "s32", true, 0, saturate});
    check_form({{16, 8, 128}, "s32", "s4", "s4", "s32", true, 0, saturate});
  }
}

TEST_CASE("Forms of mma that no target up to sm_90 has are named as unsupported") {
  const auto refused = [](const std::string& body) {
    CAPTURE(body);
    PtxBench bench(
        ".visible .entry k()\n{\n.reg .b32 r<12>;\n.reg .f32 f<12>;\n.reg .f64 e<12>;\n.reg .b64 "
        "x;\n" +
        body + "\nret;\n}\n");
    const auto record = bench.try_launch({1, 1, 1}, {32, 1, 1});
    REQUIRE(!record);
    CHECK(record.error().code == ErrorCode::ptx_unsupported);
    CHECK(record.error().english().find(body.substr(0, body.find(' '))) != std::string::npos);
  };
  refused("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f16 {f0,f1,f2,f3},{r0,r1},{r2},{r3,r4};");
  refused(
      "mma.sync.aligned.m16n8k8.col.col.f32.f16.f16.f32 {f0,f1,f2,f3},{r0,r1},{r2},{f4,f5,f6,f7};");
  refused(
      "mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 "
      "{f0,f1,f2,f3},{r0,r1,r2,r3},{r4,r5},{f4,f5,f6,f7};");
  refused(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 "
      "{f0,f1,f2,f3},{r0,r1,r2,r3},{r4,r5},{f4,f5,f6,f7};");
  refused(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{f0,f1,f2,f3},{r0,r1},{r4,r5},{f4,f5,f6,f7};");
  refused(
      "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
      "{f0,f1,f2,f3},{r0,r1,r2,r3},{r4,r5,r6,r7},{f4,f5,f6,f7}, r8, 2;");
  refused("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {r0,r1},{r2},{r3},{r4,r5};");
  refused(
      "mma.sync.aligned.m16n8k8.row.col.satfinite.f32.f16.f16.f32 "
      "{f0,f1,f2,f3},{r0,r1},{r2},{f4,f5,f6,f7};");
  refused("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {r0,r1},[x];");
  refused("stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [x],{r0};");
}

}  // namespace warpbook::device::tests::mma_test
