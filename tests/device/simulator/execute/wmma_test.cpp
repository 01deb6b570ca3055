// wmma: matrices loaded from memory in every layout, multiplied and stored, against plain loops over memory.
#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <random>

#include "tests/device/simulator/execute/matrix_model.hpp"
#include "tests/device/simulator/ptx_bench.hpp"

#include <fmt/format.h>

namespace warpbook::device::tests::wmma_test {
namespace {

struct WmmaForm {
  MmaShape shape;
  std::string d, a, b, c;
  std::string bits = "", tail = "";
};

/// Registers of a fragment, as the ISA lists them (9.7.14.4.1).
int registers_of(const MmaShape& s, char matrix, const std::string& e) {
  if (e == "f64") return matrix == 'a' || matrix == 'b' ? 1 : 2;
  if ((matrix == 'a' || matrix == 'b') && e == "f16") return 8;
  const int elements = matrix == 'a' ? s.m * s.k : matrix == 'b' ? s.k * s.n : s.m * s.n;
  return elements * bits_of_element(e) / 1024;
}

/// A matrix in memory: lines of `stride` elements, rows or columns.
struct Stored {
  std::vector<std::uint8_t> bytes;
  std::string element;
  bool rows = true;
  int stride = 0;
  [[nodiscard]] std::uint64_t at(int row, int column) const {
    const int index = (rows ? row * stride + column : column * stride + row);
    const int bits = bits_of_element(element);
    std::uint64_t v = 0;
    if (bits < 8)
      return bytes[static_cast<std::size_t>(index * bits / 8)] >> (index * bits % 8) &
             ((1u << bits) - 1);
    std::memcpy(&v, bytes.data() + index * bits / 8, static_cast<std::size_t>(bits / 8));
    return v;
  }
};

Stored random_matrix(const std::string& e, int rows, int columns, bool by_rows, int more,
                     std::mt19937& random) {
  Stored s;
  s.element = e;
  s.rows = by_rows;
  s.stride = (by_rows ? columns : rows) + more;
  const int lines = by_rows ? rows : columns;
  const auto count = static_cast<std::size_t>(lines * s.stride);
  if (bits_of_element(e) <= 8) {
    s.bytes.resize(count * static_cast<std::size_t>(bits_of_element(e)) / 8);
    for (auto& b : s.bytes) b = static_cast<std::uint8_t>(random());
    return s;
  }
  s.bytes.resize(count * static_cast<std::size_t>(bits_of_element(e)) / 8);
  const std::size_t width = static_cast<std::size_t>(bits_of_element(e)) / 8;
  for (std::size_t i = 0; i < count; ++i) {
    const double v = static_cast<double>(static_cast<int>(random() % 4001) - 2000) / 512;
    std::uint64_t bits = 0;
    if (e == "f64") bits = std::bit_cast<std::uint64_t>(v);
    if (e == "f32" || e == "tf32") bits = std::bit_cast<std::uint32_t>(static_cast<float>(v));
    if (e == "bf16") bits = std::bit_cast<std::uint32_t>(static_cast<float>(v)) >> 16;
    if (e == "f16") bits = half_of(static_cast<float>(v));
    if (e == "s32") bits = random();
    std::memcpy(s.bytes.data() + i * width, &bits, width);
  }
  return s;
}

std::string list_of(const std::string& name, int count) {
  std::string s = "{";
  for (int i = 0; i < count; ++i) s += fmt::format("{}%{}{}", i ? ", " : "", name, i);
  return s + "}";
}

std::string type_of_register(const std::string& e) {
  return e == "f64" ? "f64" : e == "f32" ? "f32" : "b32";
}

struct Choice {
  bool a_rows, b_rows, c_rows, d_rows;
  std::string space;  ///< "", ".global" or ".shared"
  bool strides;       ///< given, and longer than needed
};

std::string kernel_of(const WmmaForm& f, const Choice& choice, const Stored& a, const Stored& b,
                      const Stored& c, int d_stride) {
  const std::string shape = f.shape.text();
  const auto layout = [](bool rows) { return rows ? "row" : "col"; };
  const int ra = registers_of(f.shape, 'a', f.a), rb = registers_of(f.shape, 'b', f.b),
            rc = registers_of(f.shape, 'c', f.c), rd = registers_of(f.shape, 'd', f.d);
  std::string s = fmt::format(
      ".shared .align 32 .b8 room[8192];\n.visible .entry k(.param .u64 pa, .param .u64 pb, .param "
      ".u64 pc, .param .u64 pd)\n{{\n.reg .b64 %pa, %pb, %pc, %pd, %x, %y;\n.reg .b32 %s, %t, "
      "%v;\n.reg .pred %q;\n.reg .{} %a<8>;\n.reg .{} %b<8>;\n.reg .{} %c<8>;\n.reg .{} %d<8>;\n",
      type_of_register(f.a), type_of_register(f.b), type_of_register(f.c), type_of_register(f.d));
  for (const char m : {'a', 'b', 'c', 'd'}) s += fmt::format("ld.param.u64 %p{0}, [p{0}];\n", m);
  const std::string types = f.a == "f16" ? fmt::format("{}.{}", f.d, f.c)
                                         : fmt::format("{}.{}.{}.{}", f.d, f.a, f.b, f.c);
  const auto stride = [&](int n) { return choice.strides ? fmt::format(", %s{}", n) : ""; };
  s += ".reg .b32 %s0, %s1, %s2, %s3;\n";
  const int strides[] = {a.stride, b.stride, c.stride, d_stride};
  for (int i = 0; i < 4; ++i) s += fmt::format("mov.u32 %s{}, {};\n", i, strides[i]);
  // Through shared memory each matrix is copied there word by word first, one after the other.
  const auto load = [&](char m, const std::string& e, bool rows, int count, int n,
                        const Stored& from) {
    std::string place = fmt::format("[%p{}]", m);
    if (choice.space == ".shared") {
      s += fmt::format(
          "mov.u32 %t, %tid.x;\nmul.lo.u32 %t, %t, 4;\ncopy{0}:\ncvt.u64.u32 %x, %t;\nadd.u64 %y, "
          "%x, %p{0};\nld.global.u32 %v, [%y];\nmov.u64 %y, room;\nadd.u64 %y, %y, "
          "%x;\nst.shared.u32 [%y], %v;\nadd.u32 %t, %t, 128;\nsetp.lt.u32 %q, %t, {1};\n@%q bra "
          "copy{0};\nbar.sync 0;\n",
          m, from.bytes.size());
      place = "[room]";
    }
    s += fmt::format("wmma.load.{}.sync.aligned.{}.{}{}.{} {}, {}{};\n", m, layout(rows), shape,
                     choice.space, e, list_of(std::string(1, m), count), place, stride(n));
    if (choice.space == ".shared") s += "bar.sync 0;\n";
  };
  load('a', f.a, choice.a_rows, ra, 0, a);
  load('b', f.b, choice.b_rows, rb, 1, b);
  load('c', f.c, choice.c_rows, rc, 2, c);
  s += fmt::format("wmma.mma{}.sync.aligned.{}.{}.{}.{}{} {}, {}, {}, {};\n", f.bits,
                   layout(choice.a_rows), layout(choice.b_rows), shape, types, f.tail,
                   list_of("d", rd), list_of("a", ra), list_of("b", rb), list_of("c", rc));
  s += fmt::format("wmma.store.d.sync.aligned.{}.{}{}.{} [%pd], {}{};\nret;\n}}\n",
                   layout(choice.d_rows), shape, choice.space == ".shared" ? "" : choice.space, f.d,
                   list_of("d", rd), stride(3));
  return s;
}

void check_form(const WmmaForm& f, const Choice& choice) {
  std::mt19937 random(3);
  const MmaShape& s = f.shape;
  // 16 bytes more a line, which keeps lines aligned.
  const auto more = [&](const std::string& e) {
    return choice.strides ? 2 * 128 / bits_of_element(e) : 0;
  };
  const Stored a = random_matrix(f.a, s.m, s.k, choice.a_rows, more(f.a), random),
               b = random_matrix(f.b, s.k, s.n, choice.b_rows, more(f.b), random),
               c = random_matrix(f.c, s.m, s.n, choice.c_rows, more(f.c), random);
  Stored d;
  d.element = f.d;
  d.rows = choice.d_rows;
  d.stride = (d.rows ? s.n : s.m) + more(f.d);
  d.bytes.assign(
      static_cast<std::size_t>((d.rows ? s.m : s.n) * d.stride * bits_of_element(f.d) / 8), 0xee);
  const std::string text = kernel_of(f, choice, a, b, c, d.stride);
  INFO(text.substr(text.find("wmma.load.a"), 80) << " " << text.substr(text.find("wmma.mma"), 80));
  for (const HandlerSet set : {HandlerSet::sse2, HandlerSet::avx2}) {
    PtxBench bench(text, set);
    const Pointer pa = bench.buffer("a", a.bytes), pb = bench.buffer("b", b.bytes),
                  pc = bench.buffer("c", c.bytes), pd = bench.buffer("d", d.bytes);
    const LaunchRecord record = bench.good({1, 1, 1}, {32, 1, 1}, pa, pb, pc, pd);
    REQUIRE(record.findings_total == 0);
    CHECK(record.total.tensor_operations == 1);
    d.bytes = bench.read<std::uint8_t>(pd, d.bytes.size());
    bool same = true;
    for (int row = 0; row < s.m && same; ++row) {
      for (int column = 0; column < s.n && same; ++column) {
        std::uint64_t want = 0;
        if (f.d == "s32") {
          std::int64_t sum = 0;
          for (int k = 0; k < s.k; ++k) {
            const auto x = static_cast<std::int64_t>(value_of(f.a, a.at(row, k))),
                       y = static_cast<std::int64_t>(value_of(f.b, b.at(k, column)));
            sum += f.bits == ".xor.popc" ? x ^ y : f.bits == ".and.popc" ? x & y : x * y;
          }
          sum += static_cast<std::int32_t>(c.at(row, column));
          if (f.tail == ".satfinite")
            sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                           std::numeric_limits<std::int32_t>::max());
          want = static_cast<std::uint32_t>(sum);
        } else if (f.d == "f64") {
          double sum = value_of("f64", c.at(row, column));
          for (int k = 0; k < s.k; ++k)
            sum = std::fma(value_of("f64", a.at(row, k)), value_of("f64", b.at(k, column)), sum);
          want = std::bit_cast<std::uint64_t>(sum);
        } else {
          auto sum = static_cast<float>(value_of(f.c, c.at(row, column)));
          for (int k = 0; k < s.k; ++k) {
            sum = sum + static_cast<float>(value_of(f.a, a.at(row, k))) *
                            static_cast<float>(value_of(f.b, b.at(k, column)));
          }
          want = f.d == "f16" ? half_of(sum) : std::bit_cast<std::uint32_t>(sum);
        }
        same = d.at(row, column) == want;
        if (!same)
          FAIL_CHECK(fmt::format("row {} column {}: got {:#x}, want {:#x}", row, column,
                                 d.at(row, column), want));
      }
    }
    // What lies between the lines is untouched.
    for (int line = 0; line < (d.rows ? s.m : s.n); ++line) {
      const int bytes = bits_of_element(f.d) / 8, used = (d.rows ? s.n : s.m) * bytes;
      for (int k = used; k < d.stride * bytes; ++k)
        same = same && d.bytes[static_cast<std::size_t>(line * d.stride * bytes + k)] == 0xee;
    }
    CHECK(same);
  }
}

}  // namespace

TEST_CASE("wmma of every type and shape multiplies what lies in memory") {
  std::vector<WmmaForm> forms;
  for (const MmaShape s : {MmaShape{16, 16, 16}, MmaShape{8, 32, 16}, MmaShape{32, 8, 16}}) {
    for (const std::string d : {"f16", "f32"}) {
      for (const std::string c : {"f16", "f32"}) forms.push_back({s, d, "f16", "f16", c});
    }
    forms.push_back({s, "f32", "bf16", "bf16", "f32"});
    for (const std::string e : {"s8", "u8"}) {
      forms.push_back({s, "s32", e, e, "s32"});
      forms.push_back({s, "s32", e, e, "s32", "", ".satfinite"});
    }
  }
  forms.push_back({{16, 16, 8}, "f32", "tf32", "tf32", "f32"});
  forms.push_back({{8, 8, 4}, "f64", "f64", "f64", "f64"});
  for (const std::string e : {"s4", "u4"}) forms.push_back({{8, 8, 32}, "s32", e, e, "s32"});
  forms.push_back({{8, 8, 128}, "s32", "b1", "b1", "s32", ".xor.popc"});
  forms.push_back({{8, 8, 128}, "s32", "b1", "b1", "s32", ".and.popc"});
  for (const WmmaForm& f : forms) {
    const bool narrow = bits_of_element(f.a) < 8;
    int turn = 0;
    for (const bool a_rows : {true, false}) {
      for (const bool b_rows : {true, false}) {
        if (narrow && (!a_rows || b_rows)) continue;
        // Over the forms, every layout of c and d, every space, with and without strides.
        const bool first = turn % 2 == 0, second = turn / 2 % 2 == 0;
        const std::string spaces[] = {".global", "", ".shared"};
        check_form(f, {a_rows, b_rows, first, second, spaces[turn % 3], first != second});
        check_form(f, {a_rows, b_rows, !first, second, spaces[(turn + 1) % 3], true});
        ++turn;
      }
    }
  }
}

TEST_CASE(
    "wmma.load counts the matrix's own sectors and conflicts, whatever the fragments' layout") {
  const auto counters = [](const std::string& stride, const std::string& space) {
    PtxBench bench(fmt::format(
        ".shared .align 32 .b8 room[4096];\n.visible .entry k(.param .u64 pa)\n{{\n.reg .b64 %p;\n"
        ".reg .b32 %a<8>, %z;\n.reg .b64 %y, %x;\nld.param.u64 %p, [pa];\nmov.u32 %z, %tid.x;\n"
        "mul.wide.u32 %x, %z, 16;\nmov.u64 %y, room;\nadd.u64 %x, %x, %y;\nmov.u32 %z, 0;\n"
        "{}wmma.load.a.sync.aligned.row.m16n16k16.{}.f16 {{%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}}, [{}], "
        "{};\nret;\n}}\n",
        space == "shared" ? [] {
          std::string s;
          for (int i = 0; i < 4096; i += 512)
            s += fmt::format("st.shared.v4.b32 [%x+{}], {{%z,%z,%z,%z}};\n", i);
          return s;
        }()
                          : std::string(),
        space, space == "shared" ? "room" : "%p", stride));
    const LaunchRecord r =
        bench.good({1, 1, 1}, {32, 1, 1}, bench.buffer("a", std::vector<std::uint16_t>(2048)));
    CHECK(r.findings_total == 0);
    return r.instructions[r.instructions.size() - 2].counters;
  };
  // 16 lines of 32 bytes: 16 sectors, side by side or apart.
  CHECK(counters("16", "global").global_requests == 1);
  CHECK(counters("16", "global").global_sectors == 16);
  CHECK(counters("128", "global").global_sectors == 16);
  CHECK(counters("128", "global").global_bytes_asked == 512);
  // Half a sector off every other line: 24 sectors.
  CHECK(counters("24", "global").global_sectors == 24);
  // Phases of eight lines, 16 bytes of each. Lines of 32 bytes: lines 0 and 4 share their banks.
  CHECK(counters("16", "shared").shared_wavefronts_ideal == 4);
  CHECK(counters("16", "shared").shared_wavefronts == 8);
  // 256 bytes apart all eight do; 272 bytes apart none.
  CHECK(counters("128", "shared").shared_wavefronts == 32);
  CHECK(counters("24", "shared").shared_wavefronts == 4);
  CHECK(counters("24", "shared").shared_bytes == 512);
}

}  // namespace warpbook::device::tests::wmma_test
