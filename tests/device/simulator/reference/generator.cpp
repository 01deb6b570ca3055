#include "tests/device/simulator/reference/generator.hpp"

#include <cstring>

#include "tests/device/simulator/reference/statements.hpp"

namespace warpbook::device::tests::reference {

void Generator::function(int number) {
  in_kernel_ = false;
  members_.clear();
  budget_ = 3 + w_.below(10);
  for (const char* load : {"ld.param.b32 {}, [a];", "ld.param.b32 {}, [s+4];"}) {
    const std::string r = w_.fresh('r');
    w_.line(fmt::format(fmt::runtime(load), r));
    w_.offer('r', r);
  }
  const std::string d = w_.fresh('d');
  w_.line(fmt::format("ld.param.b64 {}, [b];", d));
  w_.offer('d', d);
  for (std::uint32_t k = 0; k < kLocalBytes; k += 8)
    w_.line(fmt::format("st.local.b64 [store+{}], {};", k, w_.source('d')));
  w_.line("mov.u64 %floc, store;");
  // Now and then it calls itself, with a count that falls.
  if (w_.chance(40)) {
    const std::string depth = w_.unique('r'), p = w_.unique('p'), stop = w_.label();
    w_.line(fmt::format("and.b32 {}, {}, 3;", depth, w_.source('r')));
    w_.line(fmt::format("setp.eq.u32 {}, {}, 0;", p, depth));
    w_.line(fmt::format("@{} bra {};", p, stop));
    w_.line(fmt::format("sub.u32 {0}, {0}, 1;", depth));
    w_.line("{ .param .b32 pa; .param .b64 pb; .param .align 8 .b8 ps[16]; .param .b32 pr;");
    w_.line(fmt::format("st.param.b32 [pa], {};", depth));
    w_.line(fmt::format("st.param.b64 [pb], {};", w_.source('d')));
    w_.line(fmt::format("st.param.b32 [ps], {};", depth));
    w_.line(fmt::format("st.param.b32 [ps+4], {};", depth));
    w_.line(fmt::format("st.param.b64 [ps+8], {};", w_.source('d')));
    w_.line(fmt::format("call (pr), f{}, (pa, pb, ps);", number));
    w_.line(fmt::format("ld.param.b32 {}, [pr];", depth));
    w_.line("}");
    w_.line(fmt::format("st.local.b32 [store+{}], {};", 4 * w_.below(16), depth));
    w_.line(stop + ":");
  }
  statements(2, budget_);
  if (w_.chance(30)) {
    w_.line(fmt::format("st.param.b32 [r], {};", w_.source('r')));
    w_.line(fmt::format("@{} ret;", w_.source('p')));
  }
  const std::string r = w_.unique('r');
  w_.line(fmt::format("ld.local.b32 {}, [store+{}];", r, 4 * w_.below(16)));
  w_.line(fmt::format("xor.b32 {0}, {0}, {1};", r, w_.source('r')));
  w_.line(fmt::format("st.param.b32 [r], {};", r));
  w_.line("ret;");
  const std::string body = w_.take_text();
  p_.ptx += fmt::format(
      ".func (.param .b32 r) f{}(.param .b32 a, .param .b64 b, .param .align 8 .b8 s[16])\n{{\n"
      ".local .align 16 .b8 store[{}];\n.reg .b64 %floc;\n{}{}}}\n",
      number, kLocalBytes, w_.declarations(), body);
}

void Generator::prologue() {
  const char* lines[] = {
      "ld.param.u64 %in, [pin];",
      "ld.param.u64 %own, [pout];",
      "ld.param.u64 %acc, [pacc];",
      "mov.u32 %lin, %tid.x;",
      "mov.u32 %all, %ntid.x;",
      "mov.u32 %tmp, %tid.y;",
      "mad.lo.u32 %lin, %tmp, %all, %lin;",
      "mov.u32 %tmp, %ntid.y;",
      "mul.lo.u32 %all, %all, %tmp;",
      "mov.u32 %tmp, %ctaid.x;",
      "mad.lo.u32 %tmp, %tmp, %all, %lin;",
      "mad.wide.u32 %own, %tmp, 512, %own;",
      "mov.u64 %sh, tile;",
      "mad.wide.u32 %shown, %lin, 32, %sh;",
      "mov.u64 %sacc, sums;",
      "cvta.shared.u64 %gsacc, %sacc;",
      "mov.u64 %loc, mine;",
  };
  for (const char* l : lines) w_.line(l);
  w_.offer('r', "%lin", true);
  w_.offer('r', "%tmp", true);
  for (const char* s : {"%laneid", "%lanemask_le", "%warpid", "%ctaid.x"}) {
    const std::string r = w_.fresh('r');
    w_.line(fmt::format("mov.u32 {}, {};", r, s));
    w_.offer('r', r);
  }
  for (int k = 0; k < 6; ++k) load_input();
  // No thread reads undefined bytes.
  for (std::uint32_t k = 0; k < kLocalBytes; k += 8)
    w_.line(fmt::format("st.local.b64 [%loc+{}], {};", k, w_.source('d')));
  for (std::uint32_t k = 0; k < kSharedSlot; k += 8)
    w_.line(fmt::format("st.shared.b64 [%shown+{}], {};", k, w_.source('d')));
  w_.line("setp.ne.u32 %lead, %lin, 0;");
  w_.line("@%lead bra FILLED;");
  for (std::uint32_t k = 0; k < kAccumulatorBytes; k += 8)
    w_.line(fmt::format("st.shared.b64 [%sacc+{}], {};", k, w_.source('d')));
  w_.line("FILLED:");
  w_.line("bar.sync 0;");
}

/// Everything that is left goes out to memory.
void Generator::epilogue() {
  w_.line("bar.sync 0;");
  const std::string sum = w_.unique('d');
  w_.line(fmt::format("ld.shared.b64 {}, [%sacc+{}];", sum, 8 * w_.below(kAccumulatorBytes / 8)));
  w_.line(fmt::format("st.global.b64 [%own+{}], {};", kScratchBytes, sum));
  std::uint32_t at = kScratchBytes + 8;
  const auto last = [](const std::vector<std::string>& all, std::size_t most) {
    return std::vector<std::string>(
        all.size() > most ? all.end() - static_cast<std::ptrdiff_t>(most) : all.begin(), all.end());
  };
  for (const std::string& d : last(w_.writable('d'), 12)) {
    w_.line(fmt::format("st.global.b64 [%own+{}], {};", at, d));
    at += 8;
  }
  for (const std::string& r : last(w_.writable('r'), 24)) {
    w_.line(fmt::format("st.global.b32 [%own+{}], {};", at, r));
    at += 4;
  }
  for (const std::string& h : last(w_.writable('h'), 12)) {
    w_.line(fmt::format("st.global.b16 [%own+{}], {};", at, h));
    at += 2;
  }
  std::string bits = w_.unique('r');
  w_.line(fmt::format("mov.u32 {}, 0;", bits));
  for (const std::string& p : last(w_.writable('p'), 16)) {
    const std::string one = w_.unique('r');
    w_.line(fmt::format("selp.u32 {}, 1, 0, {};", one, p));
    w_.line(fmt::format("mad.lo.u32 {0}, {0}, 2, {1};", bits, one));
  }
  w_.line(fmt::format("st.global.b32 [%own+{}], {};", kSlotBytes - 4, bits));
  w_.line("ret;");
}

Program Generator::run() {
  static constexpr std::uint32_t kInteresting[] = {0,          1,          0x80000000, 0x3f800000,
                                                   0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                                                   0x00800000, 0x7f7fffff, 0x3c003c00, 0x7c00fc00,
                                                   0x3ff00000, 0x7ff00000, 0x7fffffff, 0xffffffff};
  p_.approximate = w_.chance(8);
  atomics_that_return_ = w_.chance(30);
  p_.block = {static_cast<std::uint32_t>(1 + w_.below(kMostThreads)), 1, 1};
  if (w_.chance(25)) {
    p_.block.x = static_cast<std::uint32_t>(1 + w_.below(24));
    p_.block.y = static_cast<std::uint32_t>(1 + w_.below(4));
  }
  if (w_.chance(20)) p_.block = {32, 1, 1};
  p_.grid = {static_cast<std::uint32_t>(1 + w_.below(3)), 1, 1};
  const auto fill = [&](std::vector<std::uint8_t>& bytes, std::size_t count) {
    bytes.resize(count);
    for (std::size_t k = 0; k < count; k += 4) {
      const std::uint32_t v =
          w_.chance(40) ? w_.one_of(kInteresting) : static_cast<std::uint32_t>(w_.any());
      std::memcpy(bytes.data() + k, &v, 4);
    }
  };
  fill(p_.in, kInBytes);
  fill(p_.out, std::size_t{kSlotBytes} * p_.block.count() * p_.grid.count());
  fill(p_.accumulators, kAccumulatorBytes);
  fill(p_.s, 24);
  p_.a = static_cast<std::uint32_t>(w_.any());
  p_.f = static_cast<std::uint32_t>(w_.any());

  const int functions = static_cast<int>(w_.below(4));
  p_.ptx = ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n";
  std::string constants, table;
  for (std::uint32_t k = 0; k < kConstBytes / 4; ++k)
    constants += (k ? ", " : "") + std::to_string(static_cast<std::uint32_t>(w_.any()));
  p_.ptx += fmt::format(".const .align 8 .b32 table[{}] = {{{}}};\n", kConstBytes / 4, constants);
  for (int k = 0; k < functions; ++k) function(k);
  functions_ = functions;
  for (int k = 0; k < functions; ++k) table += fmt::format("{}f{}", k ? ", " : "", k);
  if (functions != 0)
    p_.ptx += fmt::format(".global .align 8 .u64 functions[{}] = {{{}}};\n", functions, table);

  in_kernel_ = true;
  members_ = "-1";
  budget_ = 8 + w_.below(50);
  prologue();
  statements(0, budget_);
  epilogue();
  const std::string body = w_.take_text();
  p_.ptx += fmt::format(
      ".visible .entry k(.param .u64 pin, .param .u64 pout, .param .u64 pacc, .param .u32 a, "
      ".param .f32 f, .param .align 8 .b8 s[24])\n{{\n.shared .align 16 .b8 tile[{}];\n"
      ".shared .align 16 .b8 sums[{}];\n.local .align 16 .b8 mine[{}];\n"
      ".reg .b64 %in, %own, %acc, %sh, %shown, %sacc, %gsacc, %loc;\n"
      ".reg .b32 %lin, %all, %tmp;\n.reg .pred %lead;\n{}{}}}\n",
      kMostThreads * kSharedSlot, kAccumulatorBytes, kLocalBytes, w_.declarations(), body);
  return p_;
}

Program generate(std::uint64_t seed) { return Generator(seed).run(); }

}  // namespace warpbook::device::tests::reference
