// Runs one instruction on a warp of operands, in both builds of the handlers, on full and partial masks.
#pragma once

#include <bit>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests {

/// The bits of an operand, in the low end.
using Word64 = std::uint64_t;

struct OperationCase {
  std::string instruction;           ///< "add.s32 %d, %a, %b;" with %d %a %b %c %e as registers
  std::string d = "b32";             ///< register types: b16, b32, b64, f32, f64
  std::vector<std::string> sources;  ///< types of a, b, c, e
};

inline std::uint32_t bits_of_type(const std::string& t) {
  return t == "pred" ? 1 : static_cast<std::uint32_t>(std::stoul(t.substr(1)));
}

/// Edge values of a width, then random ones.
inline std::vector<Word64> operands_of(const std::string& type, std::mt19937_64& random) {
  std::vector<Word64> v;
  const std::uint32_t bits = bits_of_type(type);
  if (type == "f32") {
    v = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
         0xffc12345, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x4f000000,
         0xcf000000, 0x4f800000, 0x3f000000, 0xbfc00000, 0x4b000001, 0x34000000};
  } else if (type == "f64") {
    v = {0,
         0x8000000000000000,
         0x3ff0000000000000,
         0xbff0000000000000,
         0x7ff0000000000000,
         0xfff0000000000000,
         0x7ff8000000000000,
         1,
         0x800fffffffffffff,
         0x0010000000000000,
         0x7fefffffffffffff,
         0x43e0000000000000,
         0xc3e0000000000000,
         0x41e0000000000000,
         0x36a0000000000000,
         0x47efffffe0000000,
         0x3fe0000000000000};
  } else if (bits == 16) {
    v = {0,      1,      2,      0x7fff, 0x8000, 0xffff, 0x00ff, 0x7f,   0x80,
         0x3c00, 0x7c00, 0xfc00, 0x7e00, 0x03ff, 0x0400, 0x7bff, 0x3f80, 0x7f80};
  } else if (bits == 32) {
    v = {0,          1,          2,          31,         32, 33, 0x7fffffff, 0x80000000, 0xffffffff,
         0xfffffffe, 0x0000ffff, 0x00010000, 0x80000001, 63, 64, 255,        0x100};
  } else {
    v = {0,
         1,
         2,
         63,
         64,
         0x7fffffffffffffff,
         0x8000000000000000,
         ~0ull,
         ~1ull,
         0xffffffff,
         0x100000000,
         0x8000000000000001};
  }
  const Word64 mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
  while (v.size() < 40) v.push_back(random() & mask);
  return v;
}

/// Every instruction is tried on 4096 combinations; `expected` gives the bits of d.
inline void check_operation(const OperationCase& c,
                            const std::function<Word64(const std::vector<Word64>&)>& expected) {
  CAPTURE(c.instruction);
  std::mt19937_64 random(7);
  constexpr int kThreads = 128, kCount = 4096;
  std::string body, names = "abce";
  std::string declared = fmt::format(".reg .{} %d;\n", c.d);
  for (std::size_t k = 0; k < c.sources.size(); ++k) {
    declared += fmt::format(".reg .{} %{};\n", c.sources[k], names[k]);
    body += fmt::format("mad.wide.u32 %x, %i, 8, %p{};\nld.global.b{} %{}, [%x];\n", k + 1,
                        bits_of_type(c.sources[k]), names[k]);
  }
  std::string text =
      ".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param "
      ".u64 p4)\n{\n" +
      declared;
  text += ".reg .pred %q<4>;\n.reg .b32 %i, %t<4>;\n.reg .b64 %p<5>, %x;\n";
  for (int k = 0; k < 5; ++k) text += fmt::format("ld.param.u64 %p{0}, [p{0}];\n", k);
  text +=
      "mov.u32 %t0, %ctaid.x;\nmov.u32 %t1, %ntid.x;\nmov.u32 %t2, %tid.x;\nmad.lo.s32 %i, %t0, "
      "%t1, %t2;\n";
  // Every fourth block runs its odd lanes only: the masked handlers.
  text += fmt::format("mov.b{} %d, {};\n", bits_of_type(c.d), 0);
  text += body +
          "and.b32 %t3, %t0, 3;\nsetp.eq.u32 %q0, %t3, 3;\nand.b32 %t3, %i, 1;\nsetp.eq.u32 %q1, "
          "%t3, 0;\nand.pred %q2, %q0, %q1;\n@%q2 bra done;\n";
  text += c.instruction + "\ndone:\nmad.wide.u32 %x, %i, 8, %p0;\n" +
          fmt::format("st.global.b{} [%x], %d;\nret;\n}}\n", bits_of_type(c.d));

  std::vector<std::vector<Word64>> sources;
  for (const std::string& type : c.sources) {
    const std::vector<Word64> values = operands_of(type, random);
    std::vector<Word64> column(kCount);
    for (auto& v : column) v = values[random() % values.size()];
    sources.push_back(std::move(column));
  }
  std::vector<Word64> previous;
  for (const HandlerSet set : {HandlerSet::sse2, HandlerSet::avx2}) {
    PtxBench bench(text, set);
    const Pointer out = bench.buffer("out", std::vector<Word64>(kCount));
    Pointer in[4] = {};
    for (std::size_t k = 0; k < sources.size(); ++k) in[k] = bench.buffer("in", sources[k]);
    bench.good({kCount / kThreads, 1, 1}, {kThreads, 1, 1}, out, in[0], in[1], in[2], in[3]);
    const std::vector<Word64> got = bench.read<Word64>(out, kCount);
    for (int i = 0; i < kCount; ++i) {
      std::vector<Word64> operands;
      for (const auto& s : sources) operands.push_back(s[static_cast<std::size_t>(i)]);
      const bool skipped = i / kThreads % 4 == 3 && i % 2 == 0;
      const Word64 want = skipped ? 0 : expected(operands);
      if (got[static_cast<std::size_t>(i)] != want) {
        std::string shown;
        for (const Word64 o : operands) shown += fmt::format(" {:#x}", o);
        FAIL_CHECK(fmt::format("{} of{}: got {:#x}, want {:#x} ({})", c.instruction, shown,
                               got[static_cast<std::size_t>(i)], want,
                               set == HandlerSet::sse2 ? "SSE2" : "AVX2"));
        return;
      }
    }
    if (!previous.empty()) REQUIRE(previous == got);
    previous = got;
  }
}

}  // namespace warpbook::device::tests
