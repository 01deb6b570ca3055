// PTX that means harm, or is merely odd: refused by name, never a crash.
#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::hostile_test {
namespace {

ErrorCode refused(const std::string& text) {
  PtxBench bench(text);
  const auto record = bench.try_launch({1, 1, 1}, {32, 1, 1});
  REQUIRE_FALSE(record);
  CAPTURE(record.error().english());
  return record.error().code;
}

}  // namespace

TEST_CASE("frames, parameters and local memory have limits", "[device]") {
  CHECK(refused(".visible .entry k() { .local .b8 big[0x100000000]; ret; }") ==
        ErrorCode::ptx_limit);
  CHECK(refused(".func f(.param .b8 p[40000]) { ret; }\n.visible .entry k() { .param .b8 a[40000]; "
                "call f, (a); ret; }") == ErrorCode::ptx_limit);
  std::string many = ".visible .entry k() { .reg .b64 %r<100000>;\n";
  for (int i = 0; i < 100000; ++i) many += "mov.u64 %r" + std::to_string(i) + ", 1;\n";
  for (int i = 1; i < 100000; ++i) many += "add.u64 %r0, %r0, %r" + std::to_string(i) + ";\n";
  CHECK(refused(many + "ret; }") == ErrorCode::ptx_limit);
}

TEST_CASE("operands that an instruction cannot have are refused", "[device]") {
  for (const char* body :
       {"add.u32 %a, %b, %w;", "add.u32 %a, %b;", "mov.u32 %a, %p;", "ld.global.u32 %a, [%b];",
        "activemask.b32;", "st.const.u32 [%w], %a;", "add.u32.sat.wide %a, %b, %b;",
        "setp.lt.s32 %a, %b, %b;", "vote.sync.all.pred %a, %p, -1;", "bar.sync;", "bra;",
        "shfl.sync.bfly.b32 %a, %b, 1, 31;", "atom.global.add.u32 %a, [%w];", "cvt.u32 %a, %b;",
        "mov.b64 %w, {%a, %b, %b};", "lop3.b32 %a, %b, %b, %b;", "call nowhere, ();",
        "ld.param.u64 %w, [q+4];"}) {
    CAPTURE(body);
    const std::string text = std::string(
                                 ".visible .entry k(.param .u64 q) { .reg .pred %p; .reg "
                                 ".b32 %a, %b; .reg .b64 %w;\n") +
                             body + "\nret; }";
    auto module = ptx::parse(ptx_header() + text, "test.ptx");
    if (!module) continue;  // the parser may see it first
    PtxBench bench(text);
    const auto record = bench.try_launch({1, 1, 1}, {32, 1, 1}, std::uint64_t{0});
    REQUIRE_FALSE(record);
  }
}

TEST_CASE("forged addresses reach nothing", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 q) {
  .shared .align 4 .u32 tile[4]; .local .align 4 .b8 mine[16];
  .reg .b32 %r; .reg .b64 %d;
  ld.param.u64 %d, [q];
  ld.u32 %r, [%d];
  st.u32 [%d], %r;
  atom.add.u32 %r, [%d], 1;
  ld.volatile.u32 %r, [%d+0x7fffffff];
  ret;
})");
  for (const std::uint64_t address :
       {std::uint64_t{0}, std::uint64_t{0x100000010}, std::uint64_t{0x1ffffffff},
        std::uint64_t{0x200000010}, std::uint64_t{0x2fffffffc}, std::uint64_t{0x300000008},
        std::uint64_t{0x400000010}, std::uint64_t{0x700000000}, ~std::uint64_t{0},
        ~std::uint64_t{3}, std::uint64_t{1} << 63, reinterpret_cast<std::uint64_t>(&bench)}) {
    CAPTURE(address);
    const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1}, address);
    CHECK(record.error);
    CHECK(record.findings_total >= 3 * 32);
  }
}

TEST_CASE("a second predicate and a sink are both written as asked", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 y) {
  .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [y];
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %p0|%p1, %r0, 5;
  setp.lt.u32 _|%p2, %r0, 9;
  selp.u32 %r1, 1, 0, %p0;
  selp.u32 %r2, 2, 0, %p1;
  selp.u32 %r3, 4, 0, %p2;
  or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3;
  mad.wide.u32 %d, %r0, 4, %d;
  st.global.u32 [%d], %r1;
  ret;
})");
  const Pointer y = bench.room<std::uint32_t>("y", 32);
  bench.good({1, 1, 1}, {32, 1, 1}, y);
  const auto got = bench.read<std::uint32_t>(y, 32);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(got[i] == (i < 5 ? 1u : 2u) + (i < 9 ? 0u : 4u));
}

}  // namespace warpbook::device::tests::hostile_test
