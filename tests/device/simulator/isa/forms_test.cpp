// What instructions do beyond arithmetic on registers: special registers, spaces, calls, the stack, hints.
#include <bit>

#include <fmt/format.h>

#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::forms_test {
namespace {

constexpr std::uint32_t kThreads = 64;

/// A kernel whose `body` leaves %r (or %rd) for the thread's word of the output; %i is the thread's number.
std::string kernel(const std::string& body, const std::string& before = "") {
  return ptx_header() + before +
         ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r, %i, %t, %u<8>;\n"
         ".reg .b64 %rd, %out, %w<8>;\n.reg .b16 %h<4>;\n.reg .b8 %c<4>;\n.reg .b128 %q;\n"
         ".reg .pred %p<4>;\n.reg .v4 .b32 %v;\n"
         "ld.param.u64 %out, [out];\nmov.u32 %i, %tid.x;\nmov.u32 %t, %tid.y;\n"
         "mad.lo.u32 %i, %t, 32, %i;\nmul.wide.u32 %w0, %i, 8;\nadd.u64 %out, %out, %w0;\n"
         "mov.u32 %r, 0;\nmov.u64 %rd, 0;\n" +
         body +
         "cvt.u64.u32 %w0, %r;\nadd.u64 %rd, %rd, %w0;\nst.global.u64 [%out], %rd;\nret;\n}\n";
}

std::vector<std::uint64_t> run_it(const std::string& body, const std::string& before = "",
                                  Dim3 block = {32, 2, 1}) {
  CAPTURE(body);
  PtxBench bench(kernel(body, before));
  const Pointer out = bench.buffer("out", std::vector<std::uint64_t>(kThreads));
  bench.good({1, 1, 1}, block, out);
  return bench.read<std::uint64_t>(out, kThreads);
}

/// The same for every thread.
void check_all(const std::string& body, std::uint64_t want, const std::string& before = "") {
  CAPTURE(body);
  CHECK(run_it(body, before) == std::vector<std::uint64_t>(kThreads, want));
}

template <class F>
void check_each(const std::string& body, F want, const std::string& before = "") {
  CAPTURE(body);
  std::vector<std::uint64_t> expected;
  for (std::uint32_t i = 0; i < kThreads; ++i) expected.push_back(want(i));
  CHECK(run_it(body, before) == expected);
}

ErrorCode error_of(const std::string& body) {
  PtxBench bench(kernel(body));
  const Pointer out = bench.buffer("out", std::vector<std::uint64_t>(kThreads));
  const auto record = bench.try_launch({1, 1, 1}, {32, 2, 1}, out);
  if (!record) return record.error().code;
  return record->error ? record->error->code : ErrorCode::cancelled;
}

}  // namespace

TEST_CASE("mov reads special registers", "[device]") {
  check_each("mov.u32 %r, %laneid;\n", [](std::uint32_t i) { return i % 32; });
  check_each("mov.u32 %r, %warpid;\n", [](std::uint32_t i) { return i / 32; });
  check_each("mov.u32 %r, %lanemask_eq;\n", [](std::uint32_t i) { return 1u << i % 32; });
  check_each("mov.u32 %r, %lanemask_lt;\n", [](std::uint32_t i) { return (1u << i % 32) - 1; });
  check_each("mov.u32 %r, %lanemask_le;\n",
             [](std::uint32_t i) { return (std::uint64_t{2} << i % 32) - 1; });
  check_each("mov.u32 %r, %lanemask_gt;\n",
             [](std::uint32_t i) { return 0xffffffff & ~((std::uint64_t{2} << i % 32) - 1); });
  check_each("mov.u32 %r, %lanemask_ge;\n",
             [](std::uint32_t i) { return 0xffffffff & ~((std::uint64_t{1} << i % 32) - 1); });
  check_each(
      "mov.v4.u32 %v, %tid;\nmad.lo.u32 %r, %v.y, 100, %v.x;\nadd.u32 %r, %r, %v.z;\n"
      "add.u32 %r, %r, %v.w;\n",
      [](std::uint32_t i) { return i / 32 * 100 + i % 32; });
  check_each("mov.u16 %h0, %tid.x;\ncvt.u32.u16 %r, %h0;\n",
             [](std::uint32_t i) { return i % 32; });
  check_all("mov.u32 %r, %ntid.y;\n", 2);
  check_all("mov.u32 %r, %nctaid.x;\n", 1);
  check_all("mov.u32 %r, WARP_SZ;\n", 32);
  for (const char* zero : {"%pm0", "%pm7", "%envreg0", "%dynamic_smem_size"})
    check_all(fmt::format("mov.u32 %r, {};\n", zero), 0);
  check_all("mov.u64 %rd, %pm3_64;\n", 0);
  check_all("mov.u64 %rd, %current_graph_exec;\n", 0);
  check_all("mov.pred %p0, %is_explicit_cluster;\nselp.u32 %r, 1, 2, %p0;\n", 2);
  CHECK(error_of("mov.u32 %p0, %tid.x;\n") == ErrorCode::ptx_unsupported);
  CHECK(error_of("ld.global.u32 %p0, [%out];\n") == ErrorCode::ptx_unsupported);
}

TEST_CASE("mov packs and unpacks from the lowest part up", "[device]") {
  check_all("mov.b64 %rd, {0x11223344, 0x55667788};\n", 0x5566778811223344);
  check_all("mov.u16 %h0, 0x1122;\nmov.u16 %h1, 0x3344;\nmov.b32 %r, {%h0, %h1};\n", 0x33441122);
  check_all(
      "mov.u32 %u0, 0xa1b2c3d4;\nmov.b32 {%c0, %c1, %c2, %c3}, %u0;\n"
      "mov.b32 %r, {%c3, %c2, %c1, %c0};\n",
      0xd4c3b2a1);
  check_all(
      "mov.u64 %w1, 0x1122334455667788;\nmov.b64 {%h0, %h1, %h2, %h3}, %w1;\n"
      "mov.b64 %rd, {%h3, %h2, %h1, %h0};\n",
      0x7788556633441122);
  check_all("mov.b128 %q, {1, 2};\nmov.b128 {%w1, %w2}, %q;\nmad.lo.u64 %rd, %w2, 16, %w1;\n", 33);
  check_all(
      "mov.u64 %w1, 0x100000002;\nmov.u64 %w2, 0x300000004;\nmov.b128 %q, {%w1, %w2};\n"
      "mov.b128 {%u0, %u1, %u2, %u3}, %q;\nmov.b128 %q, {%u3, %u2, %u1, %u0};\n"
      "mov.b128 {%w1, %w2}, %q;\nsub.u64 %rd, %w1, %w2;\n",
      0x400000003 - 0x200000001);
  check_all("mov.u64 %w1, 0x500000006;\nmov.b64 {_, %r}, %w1;\n", 5);
  check_each("mov.b32 {%h0, %h1}, %laneid;\nmov.b32 %r, {%h1, %h0};\n",
             [](std::uint32_t i) { return i % 32 << 16; });
}

TEST_CASE("isspacep and cvta know every space", "[device]") {
  const std::string variables = ".global .b32 g;\n.const .b32 c = 7;\n.shared .b32 s;\n";
  const std::pair<const char*, const char*> spaces[] = {
      {"global", "mov.u64 %w1, g;\ncvta.global.u64 %w1, %w1;\n"},
      {"const", "mov.u64 %w1, c;\ncvta.const.u64 %w1, %w1;\n"},
      {"shared", "mov.u64 %w1, s;\ncvta.shared.u64 %w1, %w1;\n"},
      {"local", ".local .b32 l;\nmov.u64 %w1, l;\ncvta.local.u64 %w1, %w1;\n"}};
  for (const auto& [is, make] : spaces) {
    for (const auto& [asked, unused] : spaces) {
      check_all(fmt::format("{}isspacep.{} %p0, %w1;\nselp.u32 %r, 1, 0, %p0;\n", make, asked),
                std::string_view(is) == asked ? 1 : 0, variables);
    }
    check_all(fmt::format("{}isspacep.param %p0, %w1;\nselp.u32 %r, 1, 0, %p0;\n", make), 0,
              variables);
    // There and back again.
    check_all(fmt::format("{0}cvta.to.{1}.u64 %w2, %w1;\ncvta.{1}.u64 %w2, %w2;\nsub.u64 %rd, %w2, "
                          "%w1;\n",
                          make, is),
              0, variables);
  }
}

TEST_CASE("arguments and results travel in registers, in .param space and by every kind of callee",
          "[device]") {
  const std::string f =
      ".func (.reg .b32 r) less (.reg .b32 x, .reg .b32 y) { sub.u32 r, x, y; ret; }\n"
      ".func (.reg .b64 r) wide (.reg .b64 x, .param .b32 y) {\n.reg .b32 %t;\n.reg .b64 %s;\n"
      ".reg .pred %p;\nL: ld.param.b32 %t, [y];\ncvt.u64.u32 %s, %t;\nadd.u64 r, x, %s;\n"
      "setp.lt.u64 %p, r, 100;\n@%p bra M;\nret;\nM: mov.u64 x, r;\nbra L;\n}\n"
      ".func (.param .b32 r) plus (.param .b32 x) {\n.reg .b32 %t;\nld.param.b32 %t, [x];\n"
      "add.u32 %t, %t, 1;\nst.param.b32 [r], %t;\nret;\n}\n"
      ".weak .func (.param .b32 r) weak (.param .b32 x) {\n.reg .b32 %t;\nld.param.b32 %t, [x];\n"
      "add.u32 %t, %t, 2;\nst.param.b32 [r], %t;\nret;\n}\n"
      ".visible .func (.param .b32 r) named (.param .b32 x) {\n.reg .b32 %t;\nld.param.b32 %t, "
      "[x];\nadd.u32 %t, %t, 3;\nst.param.b32 [r], %t;\nret;\n}\n"
      ".visible .func (.param .b32 r) other_name (.param .b32 x);\n.alias other_name, named;\n";
  check_each(
      "call (%r), less, (%i, 5);\n", [](std::uint32_t i) { return std::uint64_t{i - 5}; }, f);
  check_each(
      "call (_), less, (%i, 5);\nmov.u32 %r, %i;\n", [](std::uint32_t i) { return i; }, f);
  // Only some lanes call; the others keep what they had.
  check_each(
      "mov.u32 %r, 9;\nand.b32 %u0, %i, 1;\nsetp.eq.u32 %p0, %u0, 0;\n"
      "@%p0 call (%r), less, (%i, 5);\n",
      [](std::uint32_t i) { return i % 2 == 0 ? std::uint64_t{i - 5} : 9; }, f);
  // A loop leads back to the function's first instruction, which must not take the arguments again.
  check_all("mov.u64 %w1, 1;\ncall (%rd), wide, (%w1, 30);\n", 121, f);
  check_each(
      "call (%r), plus, (%i);\n", [](std::uint32_t i) { return i + 1; }, f);
  check_each(
      "call (%r), weak, (%i);\n", [](std::uint32_t i) { return i + 2; }, f);
  check_each(
      "call (%r), other_name, (%i);\n", [](std::uint32_t i) { return i + 3; }, f);
  check_each(
      "P: .callprototype (.param .b32 _) _ (.param .b32 _);\nmov.u64 %w1, plus;\n"
      "call (%r), %w1, (%i), P;\n",
      [](std::uint32_t i) { return i + 1; }, f);
  check_each(
      "T: .calltargets plus, weak;\nmov.u64 %w1, plus;\nmov.u64 %w2, weak;\n"
      "and.b32 %u0, %i, 1;\nsetp.eq.u32 %p0, %u0, 0;\nselp.b64 %w1, %w1, %w2, %p0;\n"
      "call (%r), %w1, (%i), T;\n",
      [](std::uint32_t i) { return i + (i % 2 == 0 ? 1 : 2); }, f);
}

TEST_CASE("jump tables and exits part the lanes", "[device]") {
  check_each(
      "and.b32 %u0, %i, 3;\nT: .branchtargets A, B, A, C;\nbrx.idx %u0, T;\n"
      "A: mov.u32 %r, 10;\nbra D;\nB: mov.u32 %r, 20;\nbra D;\nC: mov.u32 %r, 30;\nD:\n",
      [](std::uint32_t i) { return i % 4 == 1   ? 20u
                                   : i % 4 == 3 ? 30u
                                                : 10u; });
  check_all("T: .branchtargets A, B;\nmov.u32 %r, 1;\nbrx.idx 1, T;\nA: mov.u32 %r, 10;\nB:\n", 1);
  check_each("setp.gt.u32 %p0, %i, 40;\n@%p0 exit;\nmov.u32 %r, 1;\n",
             [](std::uint32_t i) { return i > 40 ? 0u : 1u; });
  check_each("setp.gt.u32 %p0, %i, 40;\n@%p0 ret.uni;\nmov.u32 %r, 1;\n",
             [](std::uint32_t i) { return i > 40 ? 0u : 1u; });
  CHECK(error_of("setp.eq.u32 %p0, %i, 40;\n@%p0 trap;\n") == ErrorCode::trap);
}

TEST_CASE("alloca gives each thread room of its own, until it is restored or the function returns",
          "[device]") {
  // A function's room is free again after it: a thousand calls fit.
  const std::string filler =
      ".func fill (.reg .b32 x) {\n.reg .b64 %p;\nalloca.u64 %p, 1024;\nst.local.u32 [%p+1020], "
      "x;\nret;\n}\n";
  check_each(
      "stacksave.u64 %w1;\nalloca.u64 %w2, 64, 32;\nalloca.u64 %w3, 8;\n"
      "st.local.u32 [%w2], %i;\nst.local.u32 [%w3], 1000;\n"
      "mov.u32 %u1, 0;\nL: call fill, (%u1);\nadd.u32 %u1, %u1, 1;\n"
      "setp.lt.u32 %p0, %u1, 100;\n@%p0 bra L;\n"
      "ld.local.u32 %u2, [%w2];\nld.local.u32 %u3, [%w3];\nadd.u32 %r, %u2, %u3;\n"
      "stackrestore.u64 %w1;\nstacksave.u64 %w4;\nsub.u64 %rd, %w4, %w1;\n",
      [](std::uint32_t i) { return i + 1000; }, filler);
  check_all("alloca.u32 %u1, 3;\nalloca.u32 %u2, 5;\nsub.u32 %r, %u2, %u1;\n", 8);
  check_all("alloca.u64 %w1, 1;\nalloca.u64 %w1, 1, 128;\nand.b64 %rd, %w1, 127;\n", 0);
  // Lanes may take different amounts.
  check_each(
      "cvt.u64.u32 %w1, %i;\nmul.lo.u64 %w1, %w1, 8;\nstacksave.u64 %w3;\nalloca.u64 %w2, "
      "%w1;\nstacksave.u64 %w4;\nsub.u64 %rd, %w4, %w3;\n",
      [](std::uint32_t i) { return 8 * i; });
  CHECK(error_of("mov.u64 %w1, 20000;\nalloca.u64 %w2, %w1;\n") == ErrorCode::stack_exhausted);
  CHECK(error_of("mov.u64 %w1, -8;\nalloca.u64 %w2, %w1;\n") == ErrorCode::stack_exhausted);
  CHECK(error_of("mov.u64 %w1, -8;\nstackrestore.u64 %w1;\n") == ErrorCode::bad_stack_pointer);
  CHECK(error_of("stacksave.u64 %w1;\nadd.u64 %w1, %w1, 64;\nstackrestore.u64 %w1;\n") ==
        ErrorCode::bad_stack_pointer);
  CHECK(error_of("alloca.u64 %w1, 8, 24;\n") == ErrorCode::ptx_unsupported);
}

TEST_CASE("hints, fences and events leave memory and registers alone", "[device]") {
  const std::string variables = ".global .align 128 .b32 g[64];\n";
  for (const char* hint :
       {"prefetch.global.L1 [g];", "prefetch.L2 [%w1];", "prefetchu.L1 [%w1];",
        "prefetch.global.L2::evict_last [g];", "applypriority.global.L2::evict_normal [g], 128;",
        "createpolicy.fractional.L2::evict_first.b64 %w5, 0.25;", "createpolicy.cvt.L2.b64 %w5, 0;",
        "membar.gl;", "membar.sys;", "fence.sc.gpu;", "fence.acq_rel.cta;", "fence.proxy.alias;",
        "pmevent 3;", "nanosleep.u32 10;", "griddepcontrol.wait;",
        "griddepcontrol.launch_dependents;", "bar.warp.sync 0xffffffff;"}) {
    check_each(
        fmt::format("mov.u64 %w1, g;\nmul.wide.u32 %w2, %i, 4;\nadd.u64 %w2, %w1, %w2;\n"
                    "add.u32 %u1, %i, 5;\nst.global.u32 [%w2], %u1;\n{}\n"
                    "ld.global.u32 %r, [%w2];\n",
                    hint),
        [](std::uint32_t i) { return i + 5; }, variables);
  }
  // discard gives up what was there and no more: the bytes may be written again.
  check_all(
      "mov.u64 %w1, g;\nbar.sync 0;\ndiscard.global.L2 [g], 128;\nbar.sync 0;\n"
      "st.global.u32 [%w1], 3;\nld.global.u32 %r, [%w1];\n",
      3, variables);
  check_all("setp.ne.u32 %p0, %i, %i;\n@%p0 brkpt;\nmov.u32 %r, 4;\n", 4);
}

TEST_CASE("one lane of the members is elected, and all agree on it", "[device]") {
  check_each(
      "elect.sync %u1|%p0, 0xffffffff;\nselp.u32 %r, 1, 0, %p0;\nmad.lo.u32 %r, %u1, 2, %r;\n",
      [](std::uint32_t i) { return i % 32 == 0 ? 1u : 0u; });
  check_each(
      "and.b32 %u0, %i, 1;\nsetp.eq.u32 %p1, %u0, 0;\n@%p1 bra L;\n"
      "elect.sync %u1|%p0, 0xaaaaaaaa;\nselp.u32 %r, 1, 0, %p0;\nmad.lo.u32 %r, %u1, 2, "
      "%r;\nL:\n",
      [](std::uint32_t i) { return i % 2 == 0    ? 0u
                                   : i % 32 == 1 ? 3u
                                                 : 2u; });
  check_each("and.b32 %u0, %i, 1;\nsetp.eq.u32 %p1, %u0, 0;\n@%p1 bra L;\nactivemask.b32 %r;\nL:\n",
             [](std::uint32_t i) { return i % 2 == 0 ? 0u : 0xaaaaaaaau; });
}

}  // namespace warpbook::device::tests::forms_test
