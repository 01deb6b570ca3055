// racecheck, synccheck and leaks on PTX of a few lines: which accesses are ordered, to the byte.
#include "tests/device/simulator/ptx_bench.hpp"

#include <algorithm>

#include "device/checks.hpp"

namespace warpbook::device::tests::checker_test {
namespace {

std::string told(const LaunchRecord& r) {
  return r.findings.empty() ? "nothing" : r.findings[0].error.message().english();
}

/// A kernel of one parameter y, which has `words` words, with the thread's number in %r0, run by `threads` threads in several schedules.
class Raced {
 public:
  explicit Raced(const std::string& body, std::uint32_t threads = 64, std::uint32_t blocks = 1,
                 std::size_t words = 1024)
      : bench_(
            ".visible .entry k(.param .u64 y) { .shared .align 16 .b8 tile[1024];\n"
            ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %d<8>;\n"
            "ld.param.u64 %d0, [y]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile;\n"
            "mad.lo.u32 %r2, %r0, 4, %r1; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0;\n"
            "mov.u32 %r10, %ctaid.x;\n" +
            body + "\nret; }"),
        threads_(threads),
        blocks_(blocks),
        words_(words) {
    bench_.request.observe.racecheck = bench_.request.observe.synccheck = true;
    bench_.request.observe.initcheck = false;
  }
  LaunchRecord run(std::uint64_t seed = 0) {
    const Pointer y = bench_.buffer("y", std::vector<std::uint32_t>(words_, 0));
    bench_.request.seed = seed;
    return bench_.launch({blocks_, 1, 1}, {threads_, 1, 1}, y);
  }
  /// True if no schedule finds anything, false if every schedule finds something; anything else fails.
  bool silent() {
    std::uint32_t found = 0;
    for (const std::uint64_t seed : {0, 1, 2, 3}) found += run(seed).findings_total != 0;
    if (found != 0 && found != 4) FAIL("found in " << found << " of 4 schedules");
    return found == 0;
  }
  PtxBench& bench() { return bench_; }

 private:
  PtxBench bench_;
  std::uint32_t threads_, blocks_;
  std::size_t words_;  ///< of y
};

}  // namespace

TEST_CASE("a barrier orders the threads of a block, and nothing less does", "[device]") {
  const std::string write = "st.shared.u32 [%r2], %r0; ",
                    read =
                        "xor.b32 %r3, %r0, 32; "
                        "mad.lo.u32 %r4, %r3, 4, %r1; ld.shared.u32 %r5, [%r4];";
  CHECK(Raced(write + "bar.sync 0;" + read).silent());
  CHECK(Raced(write + "bar.red.popc.u32 %r6, 0, 1;" + read).silent());
  CHECK_FALSE(Raced(write + read).silent());
  CHECK_FALSE(Raced(write + "bar.warp.sync -1;" + read).silent());
  CHECK_FALSE(Raced(write + "membar.gl;" + read).silent());
  // The same in the other direction: the write of the next round comes after the read of this one.
  CHECK_FALSE(Raced(write + "bar.sync 0;" + read + write).silent());
  CHECK(Raced(write + "bar.sync 0;" + read + "bar.sync 0;" + write).silent());
}

TEST_CASE("a warp's sync orders its members, and only them", "[device]") {
  const std::string write = "st.shared.u32 [%r2], %r0; ";
  const auto read = [](int other) {
    return "xor.b32 %r3, %r0, " + std::to_string(other) +
           "; mad.lo.u32 %r4, %r3, 4, %r1; ld.shared.u32 %r5, [%r4];";
  };
  CHECK(Raced(write + "bar.warp.sync -1;" + read(1)).silent());
  CHECK_FALSE(Raced(write + read(1)).silent());
  CHECK_FALSE(Raced(write + "bar.warp.sync -1;" + read(33)).silent());
  // Instructions that exchange values order, too: cooperative groups rely on that.
  CHECK(Raced(write + "shfl.sync.idx.b32 %r6, %r0, 0, 31, -1;" + read(1)).silent());
  CHECK(Raced(write + "vote.sync.any.pred %p0, 1, -1;" + read(1)).silent());
  // An atomic access after a plain one.
  const std::string add = "bar.warp.sync -1; atom.shared.add.u32 %r6, [%r2], 1; ";
  CHECK(Raced(write + add + "bar.warp.sync -1;" + read(1)).silent());
  CHECK_FALSE(Raced(write + add + read(1)).silent());
  // Each half of the warp for itself.
  const std::string halves =
      "and.b32 %r6, %r0, 16; setp.eq.u32 %p1, %r6, 0; selp.b32 %r7, 0xffff, 0xffff0000, %p1;"
      "bar.warp.sync %r7;";
  CHECK(Raced(write + halves + read(1)).silent());
  CHECK_FALSE(Raced(write + halves + read(16)).silent());
  // Pairs, then pairs of pairs: order is transitive.
  const std::string
      pairs = "and.b32 %r6, %r0, 30; mov.u32 %r7, 3; shl.b32 %r7, %r7, %r6; bar.warp.sync %r7;",
      fours = "and.b32 %r6, %r0, 28; mov.u32 %r7, 15; shl.b32 %r7, %r7, %r6; bar.warp.sync %r7;";
  CHECK(Raced(write + pairs + fours + read(3)).silent());
  CHECK_FALSE(Raced(write + pairs + read(2)).silent());
}

TEST_CASE("a value set plainly by one block races with other blocks' atomics on it", "[device]") {
  const std::string set = "setp.eq.u32 %p0, %r10, 0; @%p0 st.global.u32 [%d1], %r0; bar.sync 0;",
                    add = "atom.global.add.u32 %r5, [%d1], 1;";
  CHECK_FALSE(Raced(set + add, 64, 2).silent());
  CHECK(Raced(set + add, 64, 1).silent());
  CHECK(Raced(add, 64, 2).silent());
}

TEST_CASE("a row of memory that one warp alone accessed is checked against all later accesses",
          "[device]") {
  // An operation's first access is checked lane by lane, and a row is recorded as such only where all accesses nearby are rows. So each
  // access is made twice: first in the block's own part of y, then far from there, at %d3, where two blocks access the same row.
  const auto twice = [](const std::string& body, std::uint32_t blocks) {
    return Raced(
        "mul.wide.u32 %d3, %r10, 16384; add.u64 %d3, %d3, %d0; mov.u32 %r15, 0; again:\n"
        "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d3; setp.eq.u32 %p1, %r10, 1;\n" +
            body +
            "\nadd.u64 %d3, %d0, 131072; add.u32 %r15, %r15, 1; setp.lt.u32 %p3, %r15, 2; @%p3 bra "
            "again;",
        64, blocks, 65536);
  };
  const std::string write = "st.global.u32 [%d1], %r0; ", read = "ld.global.u32 %r5, [%d1]; ",
                    one = "setp.eq.u32 %p2, %r0, 37; and.pred %p2, %p2, %p1; ";
  CHECK_FALSE(twice("st.global.u32 [%d1], %r10;", 2).silent());
  CHECK(twice(read, 2).silent());
  CHECK(twice(write + read + write + read, 1).silent());
  // By a whole warp, one lane, in another order, unaligned, with four words per lane, atomically.
  CHECK_FALSE(twice("@!%p1 " + write + "@%p1 " + read, 2).silent());
  CHECK_FALSE(twice(one + "@!%p1 " + read + "@%p2 " + write, 2).silent());
  const auto at = [&](const std::string& word, const std::string& access) {
    return twice(
        word + "mul.wide.u32 %d2, %r6, 4; add.u64 %d2, %d2, %d3; @!%p1 " + write + "@%p1 " + access,
        2);
  };
  CHECK_FALSE(at("xor.b32 %r6, %r0, 31; ", "ld.global.u32 %r5, [%d2];").silent());
  CHECK_FALSE(at("add.u32 %r6, %r0, 63; ", "st.global.u32 [%d2], %r0;").silent());
  CHECK(at("add.u32 %r6, %r0, 64; ", "st.global.u32 [%d2], %r0;").silent());
  CHECK_FALSE(
      at("mul.lo.u32 %r6, %r0, 4; ", "ld.global.v4.u32 {%r11,%r12,%r13,%r14}, [%d2];").silent());
  CHECK_FALSE(at("mov.u32 %r6, 63; ", "red.global.add.u32 [%d2], 1;").silent());
  // Another warp of the block, and the same warp after it synchronised: unordered accesses are found, ordered ones are not.
  const std::string across =
      "xor.b32 %r6, %r0, 32; mul.wide.u32 %d2, %r6, 4; add.u64 %d2, %d2, %d3; ";
  CHECK_FALSE(twice(write + across + "ld.global.u32 %r5, [%d2]; bar.sync 0;", 1).silent());
  CHECK(twice(write + across + "bar.sync 0; ld.global.u32 %r5, [%d2];", 1).silent());
  CHECK(twice(write + "bar.sync 0;" + write + "bar.warp.sync -1;" + write, 1).silent());
  CHECK_FALSE(
      twice(write + "bar.sync 0;" + across + read + "st.global.u32 [%d2], %r0;", 1).silent());

  // The finding names the earlier access, to the lane.
  const LaunchRecord record = twice(one + "@!%p1 " + write + "@%p2 " + read, 2).run();
  REQUIRE(record.findings_total == 1);
  REQUIRE(record.findings[0].other);
  CHECK(record.findings[0].by.thread == 37);
  CHECK(record.findings[0].other->thread == 37);
  CHECK(record.findings[0].by.block != record.findings[0].other->block);
}

TEST_CASE("a named barrier orders the warps that wait at it", "[device]") {
  const std::string write = "st.shared.u32 [%r2], %r0; ",
                    read = "mad.lo.u32 %r4, %r3, 4, %r1; ld.shared.u32 %r5, [%r4];";
  const std::string pair = "shr.u32 %r6, %r0, 6; add.u32 %r6, %r6, 1; bar.sync %r6, 64;";
  CHECK(Raced(write + pair + "xor.b32 %r3, %r0, 32;" + read, 128).silent());
  CHECK_FALSE(Raced(write + pair + "xor.b32 %r3, %r0, 64;" + read, 128).silent());
  // bar.arrive releases what its thread did before, and acquires nothing.
  const std::string handed =
      "setp.lt.u32 %p0, %r0, 32; @!%p0 bra consume;" + write +
      "bar.arrive 1, 64; %LATER% bra end; consume: bar.sync 1, 64; sub.u32 %r3, %r0, 32;" + read +
      " end:";
  const auto with = [&](const std::string& later) {
    std::string text = handed;
    text.replace(text.find("%LATER%"), 7, later);
    return text;
  };
  CHECK(Raced(with("")).silent());
  CHECK_FALSE(Raced(with(write)).silent());
}

TEST_CASE("neighbouring bytes are no race, the same byte is", "[device]") {
  for (const char* type : {"u8", "u16"}) {
    const std::string t = type;
    const std::string at = "mad.lo.u32 %r4, %r0, " + std::string(t == "u8" ? "1" : "2") +
                           ", %r1; cvt.u16.u32 %h0, %r0;";
    CHECK(Raced(at + "st.shared." + t + " [%r4], %h0;").silent());
    CHECK(Raced(at + "st.shared." + t + " [%r4], %h0; ld.shared." + t + " %h1, [%r4];").silent());
    CHECK_FALSE(
        Raced(at + "st.shared." + t + " [%r4], %h0; ld.shared." + t + " %h1, [%r4+2];").silent());
    // A word that other threads wrote byte by byte.
    CHECK_FALSE(Raced(at + "st.shared." + t + " [%r4], %h0; ld.shared.u32 %r5, [%r2];").silent());
  }
  CHECK(Raced("mul.lo.u32 %r4, %r0, 16; add.u32 %r4, %r4, %r1; st.shared.v4.u32 [%r4], "
              "{%r0,%r0,%r0,%r0};")
            .silent());
  CHECK_FALSE(Raced("mul.lo.u32 %r4, %r0, 16; add.u32 %r4, %r4, %r1; st.shared.v4.u32 [%r4], "
                    "{%r0,%r0,%r0,%r0};"
                    "ld.shared.u32 %r5, [%r1+1020];")
                  .silent());
}

TEST_CASE("atomic operations race with plain accesses, not with each other", "[device]") {
  CHECK(Raced("red.shared.add.u32 [%r1], 1; red.global.add.u32 [%d0], 1;").silent());
  CHECK(Raced("atom.global.add.u32 %r5, [%d0], 1; ld.volatile.global.u32 %r6, [%d0];").silent());
  CHECK_FALSE(Raced("red.shared.add.u32 [%r1], 1; ld.shared.u32 %r5, [%r1];").silent());
  CHECK_FALSE(Raced("red.global.add.u32 [%d0], 1; ld.global.u32 %r5, [%d0];").silent());
  CHECK_FALSE(
      Raced("setp.eq.u32 %p0, %r0, 0; @%p0 st.global.u32 [%d0], 1; red.global.add.u32 [%d0], 1;")
          .silent());
  CHECK(Raced("st.volatile.shared.u32 [%r1], 7; ld.volatile.shared.u32 %r5, [%r1];").silent());
}

TEST_CASE("one value written by many is a note, several are a race", "[device]") {
  const LaunchRecord same = Raced("st.shared.u32 [%r1], 7;", 32).run();
  CHECK(same.findings_total == 0);
  REQUIRE(same.notes.size() == 1);
  CHECK(same.notes[0].error.code == ErrorCode::race_same_value);
  CHECK_FALSE(same.error);
  const LaunchRecord several = Raced("st.shared.u32 [%r1], %r0;", 32).run();
  REQUIRE(several.findings.size() == 1);
  CHECK(several.findings[0].error.code == ErrorCode::race_one_instruction);
  CHECK(several.findings[0].by.thread == 0);
  CHECK(several.findings[0].other->thread == 1);
  CHECK(
      told(several).find("threads 0 and 1 of block 0 write different values to shared memory[0]") !=
      std::string::npos);
}

TEST_CASE("blocks are ordered by a fence before a flag, and by nothing else", "[device]") {
  // Block 0 passes y[1] to block 1, with y[0] as the flag.
  const auto handed = [](const std::string& fence, const std::string& store,
                         const std::string& load) {
    return "setp.ne.u32 %p0, %r10, 0; @%p0 bra second; st.global.u32 [%d0+4], 5; " + fence + store +
           " ret; second: wait: " + load +
           " setp.eq.u32 %p1, %r5, 0; @%p1 bra wait; ld.global.u32 %r6, [%d0+4];";
  };
  const std::string store = "st.volatile.global.u32 [%d0], 1;",
                    load = "ld.volatile.global.u32 %r5, [%d0];";
  CHECK(Raced(handed("membar.gl;", store, load), 1, 2).silent());
  CHECK(Raced(handed("fence.acq_rel.gpu;", "atom.global.exch.b32 %r7, [%d0], 1;", load), 1, 2)
            .silent());
  CHECK(Raced(handed("", "st.release.gpu.global.u32 [%d0], 1;",
                     "ld.acquire.gpu.global.u32 %r5, [%d0];"),
              1, 2)
            .silent());
  // All lanes of a warp that read the flag acquire, not only the first one.
  CHECK(Raced(handed("membar.gl;", store, load), 32, 2).silent());
  // A thread that has seen the flag may reset it with a plain write.
  CHECK(Raced(handed("membar.gl;", store, load) + "st.global.u32 [%d0], 0;", 1, 2).silent());
  CHECK_FALSE(Raced(handed("", store, load), 1, 2).silent());
  CHECK_FALSE(Raced(handed("", "st.relaxed.gpu.global.u32 [%d0], 1;", load), 1, 2).silent());
  const LaunchRecord r = Raced(handed("", store, load), 1, 2).run();
  CHECK(r.findings[0].error.code == ErrorCode::race_between_blocks);
  CHECK(r.findings[0].by.block == 0);
  CHECK(r.findings[0].other->block == 1);
  CHECK(r.findings[0].element == 1);
}

TEST_CASE("what has a block's scope is strong beside its own block alone", "[device]") {
  const std::string count = "red.relaxed.cta.global.add.u32 [%d0], 1;";
  CHECK(Raced(count, 64, 1).silent());
  CHECK_FALSE(Raced(count, 64, 2).silent());
  // Neither is atomic beside the other, whichever block runs first.
  const std::string mixed = "setp.ne.u32 %p0, %r10, 0; @%p0 bra wide; " + count +
                            " ret; wide: red.relaxed.gpu.global.add.u32 [%d0], 1;";
  CHECK_FALSE(Raced(mixed, 1, 2).silent());
  CHECK(Raced(count + "red.relaxed.gpu.global.add.u32 [%d0], 1;", 64, 1).silent());
  CHECK_FALSE(Raced(count + "red.relaxed.gpu.global.add.u32 [%d0], 1;", 1, 2).silent());
  CHECK(Raced("red.relaxed.cta.shared.add.u32 [%r1], 1;", 64, 2).silent());
  CHECK_FALSE(Raced(count + "ld.global.u32 %r5, [%d0];", 64, 1).silent());
  CHECK_FALSE(
      Raced("ld.relaxed.cta.global.u32 %r5, [%d0]; red.relaxed.gpu.global.add.u32 [%d0], 1;", 1, 2)
          .silent());
}

TEST_CASE("a fence of a block's scope orders the threads of its block alone", "[device]") {
  // The thread whose %r4 is 0 passes y[1] to the others, with y[0] as the flag.
  const auto handed = [](const std::string& who, const std::string& release) {
    return who + "setp.ne.u32 %p0, %r4, 0; @%p0 bra second; st.global.u32 [%d0+4], 5; " + release +
           " ret; second: wait: ld.volatile.global.u32 %r5, [%d0];"
           " setp.eq.u32 %p1, %r5, 0; @%p1 bra wait; ld.global.u32 %r6, [%d0+4];";
  };
  const std::string by_warp =
                        "shr.u32 %r4, %r0, 5; and.b32 %r5, %r0, 31; setp.ne.u32 %p2, %r5, 0; "
                        "@%p2 exit; ",
                    by_block = "mov.u32 %r4, %r10; ";
  for (const std::string release :
       {"membar.cta; st.volatile.global.u32 [%d0], 1;",
        "fence.acq_rel.cta; atom.global.exch.b32 %r7, [%d0], 1;",
        "membar.cta; membar.gl; membar.cta; st.volatile.global.u32 [%d0], 1;"}) {
    CAPTURE(release);
    CHECK(Raced(handed(by_warp, release), 64, 1).silent());
    CHECK(Raced(handed(by_block, release), 1, 2).silent() ==
          (release.find("membar.gl") != release.npos));
  }
  CHECK(Raced(handed(by_warp, "st.release.cta.global.u32 [%d0], 1;"), 64, 1).silent());
  CHECK_FALSE(Raced(handed(by_block, "st.release.cta.global.u32 [%d0], 1;"), 1, 2).silent());
  // In shared memory, too, a fence of the block's scope is enough.
  CHECK(
      Raced(by_warp +
                "setp.ne.u32 %p0, %r4, 0; @%p0 bra second; st.shared.u32 [%r1+8], 5; membar.cta;"
                "st.volatile.shared.u32 [%r1+4], 1; ret; second: wait: ld.volatile.shared.u32 "
                "%r5, [%r1+4]; setp.ne.u32 %p1, %r5, 1; @%p1 bra wait; ld.shared.u32 %r6, [%r1+8];",
            64, 1)
          .silent());
}

TEST_CASE("an asynchronous copy is unordered until its thread waits for its group", "[device]") {
  const std::string copy = "cp.async.ca.shared.global [%r2], [%d1], 4; cp.async.commit_group;",
                    read = "ld.shared.u32 %r5, [%r2];";
  CHECK(Raced(copy + "cp.async.wait_group 0;" + read).silent());
  CHECK(Raced(copy + "cp.async.wait_all;" + read).silent());
  CHECK_FALSE(Raced(copy + read).silent());
  CHECK_FALSE(Raced(copy + "cp.async.wait_group 1;" + read).silent());
  CHECK_FALSE(Raced(copy + "bar.sync 0;" + read).silent());
  CHECK_FALSE(Raced(copy + "membar.gl;" + read).silent());
  // A wait for the older of two groups.
  const std::string second =
      "cp.async.ca.shared.global [%r2+512], [%d1], 4; cp.async.commit_group;";
  CHECK(Raced(copy + second + "cp.async.wait_group 1;" + read).silent());
  CHECK_FALSE(
      Raced(copy + second + "cp.async.wait_group 1; ld.shared.u32 %r5, [%r2+512];").silent());
  // Only wait_all waits for a copy that is in no group.
  const std::string loose = "cp.async.ca.shared.global [%r2], [%d1], 4;";
  CHECK_FALSE(Raced(loose + "cp.async.wait_group 0;" + read).silent());
  CHECK(Raced(loose + "cp.async.wait_all;" + read).silent());
  // Other threads need a barrier as well. The copy reads its source as late as it writes.
  const std::string other =
      "xor.b32 %r3, %r0, 32; mad.lo.u32 %r4, %r3, 4, %r1; ld.shared.u32 %r5, [%r4];";
  CHECK(Raced(copy + "cp.async.wait_all; bar.sync 0;" + other).silent());
  CHECK_FALSE(Raced(copy + "cp.async.wait_all;" + other).silent());
  CHECK_FALSE(Raced(copy + "st.global.u32 [%d1], 1; cp.async.wait_all;").silent());
  CHECK(Raced(copy + "ld.global.u32 %r5, [%d1]; cp.async.wait_all;").silent());
  CHECK_FALSE(Raced(copy + copy + "cp.async.wait_all;").silent());
}

TEST_CASE("an mbarrier's phase releases what came before its arrivals", "[device]") {
  const std::string
      begin =
          ".shared .align 8 .b64 bar; setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared.b64 "
          "[bar], 64;"
          "bar.sync 0;",
      write = "st.shared.u32 [%r2], %r0;",
      read = "xor.b32 %r3, %r0, 32; mad.lo.u32 %r4, %r3, 4, %r1; ld.shared.u32 %r5, [%r4];";
  const auto phase = [](const std::string& arrives, const std::string& waits) {
    return "mbarrier.arrive" + arrives + ".shared.b64 %d2, [bar];" + "wait: mbarrier.try_wait" +
           waits + ".shared.b64 %p1, [bar], %d2; @!%p1 bra wait;";
  };
  CHECK(Raced(begin + write + phase("", "") + read).silent());
  CHECK(Raced(begin + write + phase(".release.cta", ".acquire.cta") + read).silent());
  CHECK_FALSE(Raced(begin + write + phase(".relaxed.cta", "") + read).silent());
  CHECK(Raced(begin + write + "fence.acq_rel.cta;" + phase(".relaxed.cta", "") + read).silent());
  CHECK_FALSE(Raced(begin + write + phase("", ".relaxed.cta") + read).silent());
  CHECK_FALSE(Raced(begin + phase("", "") + write + read).silent());
  // A copy that arrives on the mbarrier when it is complete, and one that does not.
  const std::string copy = "cp.async.ca.shared.global [%r2], [%d1], 4;",
                    tells = "cp.async.mbarrier.arrive.shared.b64 [bar];";
  CHECK(Raced(begin + copy + tells + phase("", "") + read).silent());
  CHECK_FALSE(Raced(begin + copy + phase("", "") + read).silent());
  CHECK_FALSE(Raced(begin + tells + copy + phase("", "") + read).silent());
}

TEST_CASE("a block's own write does not hide another block's earlier one, whichever ran first",
          "[device]") {
  // First each block accesses its own part, so that the shapes of its accesses are known; then both access one address.
  Raced raced(
      "setp.eq.u32 %p0, %r10, 0; mul.wide.u32 %d2, %r10, 256; add.u64 %d2, %d2, %d1;"
      "mov.u32 %r5, 0;"
      "again: @%p0 st.global.u32 [%d2], 1; @!%p0 st.global.u32 [%d2], 2; bar.sync 0;"
      "@%p0 ld.global.u32 %r6, [%d2]; add.u64 %d2, %d1, 1024;"
      "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 2; @%p1 bra again;",
      64, 2);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const LaunchRecord record = raced.run(seed);
    CHECK(std::ranges::any_of(record.findings, [](const Finding& f) {
      return f.by.block == 1 && f.other && f.other->block == 0 && f.other->kind == AccessKind::load;
    }));
  }
}

TEST_CASE("a wait for one mbarrier does not order copies that signal another", "[device]") {
  // The mbarriers are so far apart that their completions would share a number. Both are waited for in the end.
  const auto reads = [](const std::string& place) {
    return ".shared .align 8 .b64 bars[40]; setp.eq.u32 %p0, %r0, 0; @!%p0 bra end;"
           "mov.u32 %r3, bars;"
           "mbarrier.init.shared.b64 [%r3], 1; mbarrier.init.shared.b64 [%r3+232], 1;"
           "mbarrier.arrive.expect_tx.shared.b64 %d2, [%r3], 16;"
           "mbarrier.arrive.expect_tx.shared.b64 %d3, [%r3+232], 16;"
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0], 16, "
           "[%r3];"
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile+64], [%d0], "
           "16, "
           "[%r3+232];"
           "other: mbarrier.try_wait.shared.b64 %p1, [%r3+232], %d3; @!%p1 bra other;"
           "ld.shared.u32 %r5, [" +
           place + "]; first: mbarrier.try_wait.shared.b64 %p1, [%r3], %d2; @!%p1 bra first; end:";
  };
  CHECK(Raced(reads("tile+64")).silent());
  CHECK_FALSE(Raced(reads("tile")).silent());
}

TEST_CASE("an mbarrier is initialised before others use it", "[device]") {
  const std::string begin =
                        ".shared .align 8 .b64 bar; setp.eq.u32 %p0, %r0, 0; @%p0 "
                        "mbarrier.init.shared.b64 [bar], 65;",
                    use = "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1;";
  CHECK(Raced(begin + "bar.sync 0;" + use).silent());
  CHECK_FALSE(Raced(begin + use).silent());
}

TEST_CASE("the barrier of a cluster orders its blocks, where arrivals release", "[device]") {
  const auto silent = [](const std::string& body) {
    Raced raced("xor.b32 %r6, %r10, 1; mapa.shared::cluster.u32 %r7, %r2, %r6;" + body, 32, 2);
    raced.bench().request.cluster = {2, 1, 1};
    return raced.silent();
  };
  const auto meet = [](const std::string& how) {
    return "barrier.cluster.arrive" + how + "; barrier.cluster.wait;";
  };
  const std::string write = "st.shared.u32 [%r2], %r0;", own = "ld.shared.u32 %r5, [%r2];",
                    far = "ld.shared::cluster.u32 %r5, [%r7];",
                    put = "st.shared::cluster.u32 [%r7], %r10;", end = meet("");
  CHECK(silent(write + meet("") + far + end));
  CHECK(silent(write + meet(".release") + far + end));
  CHECK_FALSE(silent(write + meet(".relaxed") + far + end));
  CHECK(silent(write + "fence.acq_rel.cluster;" + meet(".relaxed") + far + end));
  CHECK_FALSE(silent(write + "bar.sync 0;" + far + end));
  CHECK_FALSE(silent(write + "barrier.cluster.arrive;" + far + "barrier.cluster.wait;" + end));
  // The other direction, and accesses that a block's own barrier does not order.
  CHECK_FALSE(silent(write + meet("") + far + write + end));
  CHECK(silent(write + meet("") + far + meet("") + write + end));
  CHECK_FALSE(silent(put + "bar.sync 0;" + own + end));
  CHECK(silent(put + meet("") + own + end));
  // A block must not end while others read its shared memory.
  CHECK_FALSE(silent(write + meet("") + far));
}

TEST_CASE("launches are ordered, and no launch sees accesses of an earlier one", "[device]") {
  PtxBench bench(
      ".visible .entry k(.param .u64 y) { .reg .b32 %r0; .reg .b64 %d<3>; ld.param.u64 %d0, [y];"
      "mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1; st.global.u32 [%d0], "
      "%r0; ret; }");
  bench.request.observe.racecheck = true;
  const Pointer y = bench.room<std::uint32_t>("y", 64);
  for (int i = 0; i < 3; ++i) CHECK(bench.good({1, 1, 1}, {64, 1, 1}, y).host_threads == 1);
  const LaunchRecord both = bench.launch({2, 1, 1}, {64, 1, 1}, y);
  CHECK(both.findings_total == 0);  // equal values
  CHECK_FALSE(both.notes.empty());
}

TEST_CASE("CUDA's rule for __syncthreads() is stricter than PTX's, and is checked by itself",
          "[device]") {
  const auto found = [](const std::string& body, std::uint32_t threads, bool whole) {
    Raced raced(body, threads);
    raced.bench().request.observe.whole_barriers = whole;
    std::vector<ErrorCode> codes;
    for (const Finding& finding : raced.run().findings) codes.push_back(finding.error.code);
    return codes;
  };
  const std::string ended = "setp.lt.u32 %p0, %r0, 7; @%p0 ret; bar.sync 0;",
                    apart =
                        "setp.lt.u32 %p0, %r0, 32; @%p0 bra few;\nbar.sync 0;\nbra end;\n"
                        "few: bar.sync 0;\nend:";
  CHECK(found(ended, 64, false).empty());
  CHECK(found(ended, 64, true) == std::vector{ErrorCode::barrier_passed_by});
  CHECK(found(apart, 64, false).empty());
  CHECK(found(apart, 64, true) == std::vector{ErrorCode::barrier_apart});
  SECTION("the thread that is named is at the first of the lines") {
    Raced raced(apart, 64);
    raced.bench().request.observe.whole_barriers = true;
    // Warp 0 waits at the second line, warp 1 at the first.
    CHECK(raced.run().findings.at(0).by.thread == 32);
  }
  // Who names a count, and who does without .aligned, is not bound by it.
  CHECK(found("setp.ge.u32 %p0, %r0, 64; @%p0 ret; bar.sync 1, 64;", 96, true).empty());
  CHECK(found("setp.lt.u32 %p0, %r0, 32; @%p0 ret; barrier.sync 0;", 64, true).empty());
  CHECK(found("bar.sync 0; setp.lt.u32 %p0, %r0, 7; @%p0 ret;", 64, true).empty());
}

TEST_CASE("synccheck tells barriers that open for the wrong reasons", "[device]") {
  SECTION("one barrier from two places of a warp") {
    const LaunchRecord r =
        Raced("setp.lt.u32 %p0, %r0, 7; @%p0 bra few; bar.sync 0; bra end; few: bar.sync 0; end:",
              32)
            .run();
    REQUIRE(r.findings.size() == 1);
    CHECK(r.findings[0].error.code == ErrorCode::barrier_divergent);
    CHECK(told(r).find("lanes 0-6 at") != std::string::npos);
    CHECK(told(r).find("lanes 7-31 at") != std::string::npos);
  }
  SECTION("barrier without .aligned may") {
    CHECK(Raced("setp.lt.u32 %p0, %r0, 7; @%p0 bra few; barrier.sync 0; bra end; few: barrier.sync "
                "0; end:",
                32)
              .silent());
  }
  SECTION("whole warps at two places may") {
    CHECK(
        Raced("setp.lt.u32 %p0, %r0, 32; @%p0 bra few; bar.sync 0; bra end; few: bar.sync 0; end:",
              64)
            .silent());
  }
  SECTION("after some have left") {
    CHECK(Raced("setp.lt.u32 %p0, %r0, 7; @%p0 ret; bar.sync 0;", 64).silent());
  }
  SECTION("a count that no warps make") {
    const LaunchRecord r = Raced("bar.sync 1, 40;", 64).run();
    REQUIRE_FALSE(r.findings.empty());
    CHECK(r.findings[0].error.code == ErrorCode::barrier_count);
  }
  SECTION("two counts at one barrier") {
    const LaunchRecord r =
        Raced("setp.lt.u32 %p0, %r0, 32; selp.b32 %r5, 64, 96, %p0; bar.sync 1, %r5;", 96).run();
    REQUIRE_FALSE(r.findings.empty());
    CHECK(r.findings[0].error.code == ErrorCode::barrier_count);
  }
  SECTION("a reduction mixed with a plain one") {
    const LaunchRecord r = Raced(
                               "setp.lt.u32 %p0, %r0, 32; @%p0 bra few; bar.red.popc.u32 %r5, 0, "
                               "%p0; bra end; few: bar.sync 0; end:")
                               .run();
    REQUIRE_FALSE(r.findings.empty());
    CHECK(r.findings[0].error.code == ErrorCode::barrier_mixed);
  }
  SECTION("unasked") {
    Raced quiet("setp.lt.u32 %p0, %r0, 7; @%p0 bra few; bar.sync 0; bra end; few: bar.sync 0; end:",
                32);
    quiet.bench().request.observe.synccheck = false;
    CHECK(quiet.silent());
  }
}

TEST_CASE(
    "what a kernel allocates and leaves is told with its line and thread, where it is asked for",
    "[device]") {
  PtxBench bench(R"(
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.visible .entry k(.param .u64 y) {
  .reg .pred %p; .reg .b32 %r<2>; .reg .b64 %d<3>;
  mov.u32 %r0, %tid.x;
  { .param .b64 n; .param .b64 got; st.param.b64 [n], 24; call.uni (got), malloc, (n); ld.param.b64 %d0, [got]; }
  setp.eq.u32 %p, %r0, 3;
  @%p ret;
  { .param .b64 q; st.param.b64 [q], %d0; call.uni free, (q); }
  ret;
})");
  const auto launch = [&] { return bench.launch({1, 1, 1}, {8, 1, 1}, std::uint64_t{0}); };
  CHECK(launch().findings_total == 0);
  bench.request.observe.leaks = true;
  const LaunchRecord r = launch();
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].error.code == ErrorCode::leaked);
  CHECK(r.findings[0].by.thread == 3);
  CHECK(r.findings[0].bytes == 24);
  CHECK(told(r).find("malloc of thread 3 of block 0 (24 bytes") == 0);
}

TEST_CASE("without memcheck the first bad access is the launch's error, and no finding is told",
          "[device]") {
  Raced stray("st.global.u32 [%d1+4096], %r0;");
  stray.bench().request.observe.memcheck = false;
  const LaunchRecord r = stray.run();
  CHECK(r.findings.empty());
  CHECK(r.findings_total == 0);
  REQUIRE(r.error);
  CHECK(r.error->code == ErrorCode::out_of_bounds_write);
}

TEST_CASE("checkers are named as compute-sanitizer names them", "[device]") {
  CHECK(*parse_checks("all") == Checks{true, true, true, true, true, true});
  CHECK(*parse_checks("none") == Checks{false, false, false, false, false, false});
  CHECK(*parse_checks("racecheck") == Checks{false, false, true, false, false, false});
  CHECK(*parse_checks("memcheck,leaks,synccheck") == Checks{true, false, false, true, true, true});
  for (const char* wrong : {"", "race", "memcheck,", "memcheck racecheck", "all,none"}) {
    CAPTURE(wrong);
    const auto parsed = parse_checks(wrong);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == ErrorCode::bad_argument);
  }
}

}  // namespace warpbook::device::tests::checker_test
