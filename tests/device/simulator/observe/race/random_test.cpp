// racecheck against a model that compares every access with every other: random straight-line kernels on shared memory, of which each
// block has its own, and on global memory.
#include "tests/device/simulator/ptx_bench.hpp"

#include <fmt/format.h>

#include <random>

namespace warpbook::device::tests::random_test {
namespace {

struct Step {
  enum class Kind : std::uint8_t { load, store, atomic, barrier, warp_sync } kind{};
  std::uint32_t factor = 1, shift = 0, flip = 0,
                first = 0;           ///< word: (factor t >> shift ^ flip) + first
  std::uint32_t words = 1;           ///< side by side: 1, 2 or 4
  std::uint32_t begin = 0, end = 0;  ///< threads that take part

  std::uint32_t apart =
      0;  ///< words from one block's to the next one's, in global memory; a multiple of 4
  bool of_block = false;  ///< an atomic operation of the block's scope

  [[nodiscard]] bool accesses() const { return kind < Kind::barrier; }
  [[nodiscard]] std::uint32_t word(std::uint32_t block, std::uint32_t t) const {
    return words * ((((factor * t) >> shift) ^ flip) + first) + apart * block;
  }
};

struct Program {
  bool global = false;
  std::uint32_t threads = 32, blocks = 2;
  std::vector<Step> steps;
};

Program random_program(std::mt19937& random) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Program p;
  p.global = below(2) != 0;
  p.threads = 32 * (1 + below(5));
  p.blocks = 2 + below(2);
  const std::uint32_t count = 3 + below(8);
  const auto meet_often = [&] {
    if (below(4) == 0) return;
    Step meeting;
    meeting.kind = below(5) == 0 ? Step::Kind::warp_sync : Step::Kind::barrier;
    p.steps.push_back(meeting);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    // Now and then an earlier step is repeated.
    if (!p.steps.empty() && below(4) == 0) {
      Step again = p.steps[below(static_cast<std::uint32_t>(p.steps.size()))];
      if (again.kind == Step::Kind::store && below(2) != 0) again.kind = Step::Kind::load;
      if (again.kind == Step::Kind::atomic) again.of_block = below(3) == 0;
      p.steps.push_back(again);
      meet_often();
      continue;
    }
    Step s;
    s.kind = below(2) != 0   ? Step::Kind::load
             : below(4) != 0 ? Step::Kind::store
                             : Step::Kind::atomic;
    s.of_block = s.kind == Step::Kind::atomic && below(3) == 0;
    // Most writers have a word of their own.
    const bool shares = s.kind == Step::Kind::load ? below(2) != 0 : below(30) == 0;
    s.shift = shares ? 1 + below(8) : 0;
    s.words = s.kind == Step::Kind::atomic ? 1 : 1u << below(3);
    s.factor = shares ? 1 + 2 * below(2) : s.words == 1 ? 1 + below(2) : 1;
    s.flip = below(3) == 0 ? 1u << below(5) : 0;
    s.first = below(2) * below(8);
    if (p.global) s.apart = below(4) != 0 ? 1200 : 4 * below(200);
    s.begin = below(3) == 0 ? below(p.threads) : 0;
    s.end = below(3) == 0 ? s.begin + below(p.threads - s.begin + 1) : p.threads;
    p.steps.push_back(s);
    meet_often();
  }
  return p;
}

std::string ptx_of(const Program& p) {
  // %d0: the address of the first word; %r9: a value that no two threads share.
  std::string text =
      ".visible .entry k(.param .u64 y) { .shared .align 16 .b8 tile[8192];\n"
      ".reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %d<4>;\n"
      "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r9, %r1, 1024, %r0;\n";
  text += p.global ? "ld.param.u64 %d0, [y];\n" : "mov.u64 %d0, tile;\n";
  const std::string_view space = p.global ? "global" : "shared";
  for (const Step& s : p.steps) {
    if (!s.accesses()) {
      text += s.kind == Step::Kind::barrier ? "bar.sync 0;\n" : "bar.warp.sync -1;\n";
      continue;
    }
    text += fmt::format(
        "mul.lo.u32 %r2, %r0, {}; shr.u32 %r2, %r2, {}; xor.b32 %r2, %r2, {}; "
        "add.u32 %r2, %r2, {};\n"
        "mul.lo.u32 %r2, %r2, {}; mad.lo.u32 %r2, %r1, {}, %r2; mad.wide.u32 %d1, %r2, 4, %d0;\n"
        "setp.ge.u32 %p0, %r0, {}; setp.lt.and.u32 %p0, %r0, {}, %p0;\n",
        s.factor, s.shift, s.flip, s.first, s.words, s.apart, s.begin, s.end);
    const std::string_view vector = s.words == 1 ? "" : s.words == 2 ? ".v2" : ".v4";
    const std::string_view loaded = s.words == 1   ? "%r4"
                                    : s.words == 2 ? "{%r4, %r5}"
                                                   : "{%r4, %r5, %r6, %r7}";
    const std::string_view stored = s.words == 1   ? "%r9"
                                    : s.words == 2 ? "{%r9, %r9}"
                                                   : "{%r9, %r9, %r9, %r9}";
    if (s.kind == Step::Kind::load)
      text += fmt::format("@%p0 ld.{}{}.u32 {}, [%d1];\n", space, vector, loaded);
    else if (s.kind == Step::Kind::store)
      text += fmt::format("@%p0 st.{}{}.u32 [%d1], {};\n", space, vector, stored);
    else
      text += fmt::format("@%p0 atom.relaxed.{}.{}.add.u32 %r8, [%d1], %r0;\n",
                          s.of_block ? "cta" : "gpu", space);
  }
  return text + "ret; }";
}

std::string told(const LaunchRecord& r) {
  return r.findings.empty() ? "nothing found" : r.findings[0].error.message().english();
}

/// Whether threads of `block` and `other` access one word.
bool meet(const Step& a, const Step& b, std::uint32_t block, std::uint32_t other, bool same_warp) {
  for (std::uint32_t t = a.begin; t < a.end; ++t) {
    for (std::uint32_t u = b.begin; u < b.end; ++u) {
      if (block == other && (t == u || (t / 32 == u / 32 && !same_warp))) continue;
      const std::uint32_t at = a.word(block, t), of_other = b.word(other, u);
      if (at < of_other + b.words && of_other < at + a.words) return true;
    }
  }
  return false;
}

/// Two accesses race if they are by two threads, access a common word, are neither both loads nor both atomic for both threads, and no
/// step between them synchronises the two threads.
bool races(const Program& p) {
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    const Step& a = p.steps[i];
    if (!a.accesses()) continue;
    bool same_block = true, same_warp = true;  // no meeting yet
    for (std::size_t j = i; j < p.steps.size(); ++j) {
      const Step& b = p.steps[j];
      if (b.kind == Step::Kind::barrier) same_block = false;
      if (b.kind == Step::Kind::warp_sync) same_warp = false;
      if (!b.accesses()) continue;
      const bool alike = a.kind == b.kind && a.kind != Step::Kind::store,
                 alike_for_all = alike && !a.of_block && !b.of_block;
      // The steps of the two blocks have different words.
      for (std::uint32_t block = 0; block < p.blocks; ++block) {
        if (!alike && same_block && meet(a, b, block, block, same_warp)) return true;
        for (std::uint32_t other = 0; p.global && !alike_for_all && other < p.blocks; ++other)
          if (other != block && meet(a, b, block, other, true)) return true;
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("random kernels race exactly where two of their accesses do", "[device]") {
  std::mt19937 random(20);
  int racing = 0;
  constexpr int kPrograms = 400;
  for (int i = 0; i < kPrograms; ++i) {
    const Program p = random_program(random);
    const bool expected = races(p);
    racing += expected;
    PtxBench bench(ptx_of(p));
    const Pointer y = bench.buffer("y", std::vector<std::uint32_t>(4096));
    bench.request.observe.racecheck = true;
    bench.request.observe.initcheck = false;
    for (const std::uint64_t seed : {0, 1, 2}) {
      bench.request.seed = seed;
      const LaunchRecord record = bench.launch({p.blocks, 1, 1}, {p.threads, 1, 1}, y);
      INFO(ptx_of(p) << "\n"
                     << told(record) << "\nthreads " << p.threads << ", program " << i << ", seed "
                     << seed);
      CHECK((record.findings_total != 0) == expected);
    }
  }
  CHECK(racing > kPrograms / 5);
  CHECK(racing < kPrograms * 4 / 5);
}

}  // namespace warpbook::device::tests::random_test
