// initcheck follows values of unwritten memory through registers, element by element, until something depends on one.
#include <catch2/generators/catch_generators.hpp>

#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::definedness_test {
namespace {

/// x[2] is unwritten, x[0], x[1] and x[3] are 1; `code` may use %r0 to %r7, %p, %q and %s, and %d0 is &x. y[0] = %r7.
LaunchRecord run(const std::string& code) {
  PtxBench bench(R"(
.visible .entry k(.param .u64 x, .param .u64 y) {
  .shared .align 16 .b8 tile[64];
  .local .align 16 .b8 own[64];
  .reg .pred %p, %q, %s; .reg .b32 %r<8>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y];
  mov.u32 %r7, 0;
)" + code + R"(
  st.global.u32 [%d1], %r7;
  ret;
})");
  const Pointer x = bench.room<std::uint32_t>("x", 4), y = bench.room<std::uint32_t>("y", 1);
  const std::uint32_t one = 1;
  for (const std::uint64_t k : {0, 1, 3})
    REQUIRE(bench.memory->write(x + 4 * k, std::as_bytes(std::span(&one, 1))));
  return bench.launch({1, 1, 1}, {1, 1, 1}, x, y);
}

struct Case {
  const char* code;
  std::uint64_t findings;
};

}  // namespace

TEST_CASE("initcheck tells a vector's elements apart", "[device]") {
  const std::string vector = "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d0];\n";
  const auto [code, findings] = GENERATE(
      Case{"add.u32 %r7, %r0, %r1; add.u32 %r7, %r7, %r3;", 0}, Case{"mov.u32 %r7, %r2;", 1},
      // through shared and local memory as a vector, and back as words or as a vector
      Case{"st.shared.v4.u32 [tile], {%r0, %r1, %r2, %r3}; ld.shared.u32 %r7, [tile+12];", 0},
      Case{"st.shared.v4.u32 [tile], {%r0, %r1, %r2, %r3}; ld.shared.u32 %r7, [tile+8];", 1},
      Case{"st.local.v4.u32 [own], {%r0, %r1, %r2, 5}; ld.local.v2.u32 {%r4, %r7}, [own+8];", 0},
      Case{"st.local.v4.u32 [own], {%r0, %r1, %r2, 5}; ld.local.v2.u32 {%r7, %r4}, [own+8];", 1},
      Case{"ld.global.v4.u32 {%r7, _, _, _}, [%d0];", 0},
      Case{"ld.global.v4.u32 {_, _, %r7, _}, [%d0];", 1}, Case{"ld.v2.u32 {%r6, %r7}, [%d0+8];", 0},
      Case{"ld.v2.u32 {%r7, %r6}, [%d0+8];", 1},
      Case{"ld.global.v2.u64 {%d2, %d3}, [%d0]; cvt.u32.u64 %r7, %d2;", 0},
      Case{"ld.global.v2.u64 {%d2, %d3}, [%d0]; cvt.u32.u64 %r7, %d3;", 1},
      Case{"st.global.v4.u32 [%d0], {%r0, %r1, %r2, %r3};", 1});
  CAPTURE(code);
  CHECK(run(vector + code).findings_total == findings);
}

TEST_CASE("initcheck knows that one operand may settle a result", "[device]") {
  // %p depends on unwritten memory, %q is true, %s is false, %r3 is 1
  const std::string setting = R"(
  ld.global.u32 %r2, [%d0+8]; ld.global.u32 %r3, [%d0+12];
  setp.lt.u32 %p, %r2, 5; setp.eq.u32 %q, %r3, 1; setp.ne.u32 %s, %r3, 1;
)";
  const auto [code, findings] =
      GENERATE(Case{"or.pred %p, %p, %q; selp.u32 %r7, 1, 2, %p;", 0},
               Case{"or.pred %p, %p, %s; selp.u32 %r7, 1, 2, %p;", 1},
               Case{"and.pred %p, %s, %p; selp.u32 %r7, 1, 2, %p;", 0},
               Case{"and.pred %p, %q, %p; selp.u32 %r7, 1, 2, %p;", 1},
               Case{"xor.pred %p, %s, %p; selp.u32 %r7, 1, 2, %p;", 1},
               Case{"selp.u32 %r7, %r3, %r2, %q;", 0}, Case{"selp.u32 %r7, %r3, %r2, %s;", 1},
               Case{"selp.u32 %r7, %r3, %r3, %p;", 1},
               Case{"setp.gt.and.u32 %p, %r2, 9, %s; selp.u32 %r7, 1, 2, %p;", 0},
               Case{"setp.gt.and.u32 %p, %r2, 9, !%s; selp.u32 %r7, 1, 2, %p;", 1},
               Case{"setp.gt.or.u32 %p, %r2, 9, !%s; selp.u32 %r7, 1, 2, %p;", 0},
               Case{"mov.u32 %r4, 0; and.b32 %r7, %r2, %r4;", 0},
               Case{"mov.u32 %r4, 6; and.b32 %r7, %r2, %r4;", 1}, Case{"or.b32 %r7, %r2, -1;", 0},
               Case{"or.b32 %r7, %r2, 1;", 1},
               // under a guard that is undefined, even a value that is defined otherwise is not
               Case{"@%p and.b32 %r7, %r2, 0;", 1}, Case{"@%s or.b32 %r7, %r2, 1;", 0},
               // an instruction whose result replaces its operand
               Case{"and.b32 %r2, %r2, 0; mov.u32 %r7, %r2;", 0});
  CAPTURE(code);
  CHECK(run(setting + code).findings_total == findings);
}

TEST_CASE("initcheck finds what depends on a register that nothing has written", "[device]") {
  const auto [code, findings] = GENERATE(
      Case{"add.u32 %r7, %r1, 1;", 1}, Case{"mov.u32 %r1, 3; add.u32 %r7, %r1, 1;", 0},
      // an accumulator without a first value, in a loop
      Case{"mov.u32 %r2, 4; loop: add.u32 %r1, %r1, %r2; sub.u32 %r2, %r2, 1; "
           "setp.ne.u32 %q, %r2, 0; @%q bra loop; mov.u32 %r7, %r1;",
           1},
      // written on the path that is taken, or on the other one
      Case{"mov.u32 %r2, 4; setp.eq.u32 %q, %r2, 4; @!%q bra on; mov.u32 %r1, 5; on: mov.u32 %r7, "
           "%r1;",
           0},
      Case{"mov.u32 %r2, 4; setp.eq.u32 %q, %r2, 4; @%q bra on; mov.u32 %r1, 5; on: mov.u32 %r7, "
           "%r1;",
           1},
      // read, but nothing depends on it
      Case{"mov.u32 %r2, 4; setp.eq.u32 %q, %r2, 4; selp.u32 %r7, %r2, %r1, %q;", 0},
      Case{"add.u32 %r3, %r1, 1;", 0}, Case{"and.b32 %r7, %r1, 0;", 0},
      // a branch
      Case{"setp.ne.u32 %q, %r1, 0; @%q bra on; on:", 1});
  CAPTURE(code);
  const LaunchRecord r = run(code);
  REQUIRE(r.findings_total == findings);
  if (findings != 0) CHECK(r.findings[0].error.code == ErrorCode::uninitialised_register);
}

TEST_CASE("initcheck lets half of a pair be undefined that nobody takes out again", "[device]") {
  const auto [code, findings] = GENERATE(
      Case{"mov.b64 %d2, {%r3, %r1}; cvt.u32.u64 %r7, %d2;", 0},
      Case{"mov.b64 %d2, {%r3, %r1}; mov.b64 %d3, %d2; cvt.u32.u64 %r7, %d3;", 0},
      Case{"mov.b64 %d2, {%r3, %r1}; mov.b64 {%r7, _}, %d2;", 0},
      Case{"mov.b64 %d2, {%r1, %r3}; cvt.u32.u64 %r7, %d2;", 1},
      Case{"mov.b64 %d2, {%r3, %r1}; mov.b64 {_, %r7}, %d2;", 1},
      Case{"mov.b64 %d2, {%r3, %r1}; shr.u64 %d2, %d2, 32; cvt.u32.u64 %r7, %d2;", 1},
      Case{"mov.b64 %d2, {%r3, %r1}; mov.b64 %d3, %d2; cvt.u32.u64 %r7, %d2; setp.ne.u64 %q, %d3, "
           "0; selp.u32 %r7, %r7, 1, %q;",
           1});
  CAPTURE(code);
  CHECK(run("mov.u32 %r3, 3; " + std::string(code)).findings_total == findings);
}

TEST_CASE("initcheck tells where an undefined value was read, whichever lane handed it on",
          "[device]") {
  // The first 16 lanes fill a place each, all 32 read one, and five shuffles bring what they read to lane 0.
  PtxBench bench(R"(
.visible .entry k(.param .u64 y) {
  .shared .align 4 .b8 tile[128];
  .reg .pred %p, %q; .reg .b32 %r<8>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [y];
  mov.u32 %r0, %tid.x; mov.u32 %r3, tile; shl.b32 %r4, %r0, 2; add.u32 %r3, %r3, %r4;
  setp.ge.u32 %p, %r0, 16; @%p bra read;
  st.shared.u32 [%r3], %r0;
read:
  ld.shared.u32 %r1, [%r3];
  mov.u32 %r5, 16;
again:
  shfl.sync.down.b32 %r2, %r1, %r5, 31, -1;
  add.u32 %r1, %r1, %r2;
  shr.u32 %r5, %r5, 1;
  setp.ne.u32 %q, %r5, 0; @%q bra again;
  setp.ne.u32 %q, %r0, 0; @%q bra out;
  st.global.u32 [%d0], %r1;
out:
  ret;
})");
  const Pointer y = bench.room<std::uint32_t>("y", 1);
  const LaunchRecord r = bench.launch({1, 1, 1}, {32, 1, 1}, y);
  REQUIRE(r.findings_total == 1);
  CHECK(r.findings[0].error.code == ErrorCode::uninitialised_read);
  CHECK(r.findings[0].space == Space::shared);
}

TEST_CASE("initcheck finds what depends on a lane that takes no part in a shuffle", "[device]") {
  // Lanes below `lanes` of 32 add up; y[lane] is stored by those below `stored`.
  const auto findings = [](std::uint32_t lanes, std::uint32_t stored, const std::string& distance) {
    PtxBench bench(R"(
.visible .entry k(.param .u64 y, .param .u32 lanes, .param .u32 stored) {
  .reg .pred %p, %q; .reg .b32 %r<8>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [y]; ld.param.u32 %r4, [lanes]; ld.param.u32 %r5, [stored];
  mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;
  setp.ge.u32 %p, %r0, %r4; @%p bra out;
  mov.u32 %r1, 1;
  shfl.sync.down.b32 %r2, %r1, )" +
                   distance + R"(, 31, -1;
  add.u32 %r1, %r1, %r2;
  setp.ge.u32 %q, %r0, %r5; @%q bra out;
  st.global.u32 [%d0], %r1;
out:
  ret;
})");
    const Pointer y = bench.room<std::uint32_t>("y", 32);
    const LaunchRecord r = bench.launch({1, 1, 1}, {32, 1, 1}, y, lanes, stored);
    for (const Finding& finding : r.findings) CHECK(finding.error.code == ErrorCode::missing_lane);
    return r.findings_total;
  };
  CHECK(findings(32, 32, "16") == 0);
  CHECK(findings(20, 4, "16") == 0);    // lanes 0 to 3 read lanes 16 to 19
  CHECK(findings(20, 5, "16") == 1);    // lane 4 reads lane 20, which has left
  CHECK(findings(20, 20, "16") == 12);  // lanes 16 to 19 are out of range and keep their own
  CHECK(findings(20, 19, "1") == 0);
  CHECK(findings(20, 20, "1") == 1);
}

TEST_CASE("initcheck names the place that was read, also where the address is gone", "[device]") {
  const auto [code, at] = GENERATE(
      std::pair{
          "mov.u32 %r1, tile; add.u32 %r1, %r1, 20; ld.shared.u32 %r1, [%r1]; mov.u32 %r7, %r1;",
          20u},
      std::pair{"mov.u32 %r1, tile; ld.shared.u32 %r1, [%r1+24]; mov.u32 %r7, %r1;", 24u},
      std::pair{"mov.u32 %r1, tile; atom.shared.add.u32 %r1, [%r1+28], 1; mov.u32 %r7, %r1;", 28u});
  CAPTURE(code);
  const LaunchRecord r = run(code);
  REQUIRE(r.findings_total == 1);
  CHECK(r.findings[0].address == at);
  CHECK(r.findings[0].space == Space::shared);
}

}  // namespace warpbook::device::tests::definedness_test
