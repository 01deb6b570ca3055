// Operands in forms that compilers seldom write and people do: whole vector registers, special registers that are
// converted, predicates read negated, parameters whose addresses are taken, arguments of every kind of register.
#include <array>

#include <fmt/format.h>

#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::operands_test {
namespace {

constexpr std::uint32_t kThreads = 32;

/// Runs `body`, which leaves %r for the thread's word of the output; %i is the thread's number, `in` holds 100, 101 and so
/// on. `before` comes before the kernel.
std::vector<std::uint32_t> words(const std::string& body, const std::string& before = "",
                                 bool check = true) {
  CAPTURE(body, before);
  PtxBench bench(before +
                 ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r, %i, %t<6>;\n"
                 ".reg .b64 %in, %out, %w<4>;\n.reg .b16 %h<4>;\n.reg .b8 %c;\n.reg .pred %p<6>;\n"
                 "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %i, %tid.x;\n"
                 "mul.wide.u32 %w0, %i, 4;\nadd.u64 %out, %out, %w0;\nadd.u64 %w0, %in, %w0;\n"
                 "ld.global.u32 %t0, [%w0];\n" +
                 body + "st.global.u32 [%out], %r;\nret;\n}\n");
  bench.request.observe.initcheck = check;
  std::vector<std::uint32_t> in(4 * kThreads);
  for (std::uint32_t i = 0; i < in.size(); ++i) in[i] = 100 + i;
  const Pointer input = bench.buffer("in", in),
                out = bench.buffer("out", std::vector<std::uint32_t>(kThreads));
  const LaunchRecord record = bench.good({1, 1, 1}, {kThreads, 1, 1}, input, out);
  CHECK(record.findings.empty());
  return bench.read<std::uint32_t>(out, kThreads);
}

template <class F>
void check_each(F want, const std::string& body, const std::string& before = "") {
  CAPTURE(body);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < kThreads; ++i) expected.push_back(want(i));
  CHECK(words(body, before) == expected);
}

ErrorCode refusal(const std::string& body) {
  PtxBench bench(".visible .entry k()\n{\n.reg .b32 %r;\n.reg .b64 %w;\n.reg .pred %p;\n" + body +
                 "ret;\n}\n");
  const auto record = bench.try_launch({1, 1, 1}, {1, 1, 1});
  return record ? ErrorCode::cancelled : record.error().code;
}

}  // namespace

TEST_CASE("a vector register stands for the list of its parts", "[device]") {
  const std::string vector =
      ".reg .v4 .b32 %v, %u;\n.reg .v2 .f32 %f;\n.reg .v2 .b32 %y;\nmul.wide.u32 %w1, %i, 16;\n"
      "add.u64 %w1, %in, %w1;\n";
  const auto fourth = [](std::uint32_t i) { return 103 + 4 * i; };
  check_each(fourth, vector + "ld.global.v4.u32 %v, [%w1];\nmov.b32 %r, %v.w;\n");
  check_each(fourth,
             vector + "ld.global.v4.u32 %v, [%w1];\nmov.v4.b32 %u, %v;\nmov.b32 %r, %u.w;\n");
  check_each([](std::uint32_t i) { return 102 + 4 * i; },
             vector +
                 ".shared .align 16 .b8 s[512];\nmul.wide.u32 %w2, %i, 16;\nmov.u64 %w3, s;\n"
                 "add.u64 %w2, %w2, %w3;\nld.global.v4.u32 %v, [%w1];\n"
                 "st.shared.v4.b32 [%w2], %v;\nld.shared.u32 %r, [%w2+8];\n");
  check_each([](std::uint32_t i) { return i; },
             vector +
                 "mov.b64 %w2, {%i, 7};\nmov.b64 %y, %w2;\nmov.b64 %w2, %y;\n"
                 "cvt.u32.u64 %r, %w2;\n");
  check_each([](std::uint32_t i) { return i + 1; },
             vector +
                 "mov.f32 %f.x, 0f00000000;\nmov.b32 %f.y, %i;\nmov.v2.f32 %f, %f;\n"
                 "mov.b32 %r, %f.y;\nadd.u32 %r, %r, 1;\n");
}

TEST_CASE("a move between vectors reads all parts before it writes one", "[device]") {
  check_each([](std::uint32_t i) { return 3 * i + 1000; },
             "mov.b32 %t1, %i;\nmov.b32 %t2, 1000;\nmov.v2.b32 {%t1, %t2}, {%t2, %t1};\n"
             "mad.lo.u32 %r, %t2, 3, %t1;\n");
  check_each(
      [](std::uint32_t i) { return (i + 2) << 24 | (i + 1) << 16 | i << 8 | (i + 3); },
      "cvt.u16.u32 %h0, %i;\nadd.u16 %h1, %h0, 1;\nadd.u16 %h2, %h0, 2;\nadd.u16 %h3, %h0, 3;\n"
      "mov.v4.u16 {%h0, %h1, %h2, %h3}, {%h3, %h0, %h1, %h2};\nmov.u32 %r, 0;\n"
      "cvt.u32.u16 %t1, %h0;\nor.b32 %r, %r, %t1;\n"
      "cvt.u32.u16 %t1, %h1;\nshl.b32 %t1, %t1, 8;\nor.b32 %r, %r, %t1;\n"
      "cvt.u32.u16 %t1, %h2;\nshl.b32 %t1, %t1, 16;\nor.b32 %r, %r, %t1;\n"
      "cvt.u32.u16 %t1, %h3;\nshl.b32 %t1, %t1, 24;\nor.b32 %r, %r, %t1;\n");
  check_each([](std::uint32_t i) { return 2 * i; },
             "mov.v4.u32 {%t1, %t2, _, %t3}, %tid;\nadd.u32 %r, %t1, %t1;\nadd.u32 %r, %r, %t2;\n"
             "add.u32 %r, %r, %t3;\n");
}

TEST_CASE("cvt reads special registers", "[device]") {
  check_each([](std::uint32_t i) { return i << 1; },
             "cvt.u64.u32 %w1, %tid.x;\nshl.b64 %w1, %w1, 33;\nshr.u64 %w1, %w1, 32;\n"
             "cvt.u32.u64 %r, %w1;\n");
  // In the first versions of PTX, %tid and its like had 16 bits a part, and so they are converted.
  check_each([](std::uint32_t i) { return i + kThreads; },
             "cvt.u32.u16 %r, %tid.x;\ncvt.u32.u16 %t1, %ntid.x;\nadd.u32 %r, %r, %t1;\n");
  check_each([](std::uint32_t i) { return 1u << (i % 8); },
             "cvt.u32.u8 %r, %lanemask_eq;\ncvt.u16.u32 %h0, %lanemask_eq;\nshr.u16 %h0, %h0, 8;\n"
             "cvt.u32.u8 %t1, %h0;\nor.b32 %r, %r, %t1;\nmov.u32 %t1, %lanemask_eq;\n"
             "shr.u32 %t2, %t1, 16;\nor.b32 %r, %r, %t2;\nshr.u32 %t2, %t1, 24;\n"
             "or.b32 %r, %r, %t2;\nand.b32 %r, %r, 255;\n");
  // A special register of three parts is read by one of them.
  CHECK(refusal("mov.u32 %r, %tid;\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("cvt.u64.u32 %w, %ctaid;\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("cvt.rn.f32.u32 %r, %laneid;\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("mov.u32 %r, %laneid.x;\n") == ErrorCode::ptx_unsupported);
}

TEST_CASE("a constant is added to a register wherever a register is read", "[device]") {
  check_each([](std::uint32_t i) { return 3 * i + 12; },
             "mul.lo.u32 %t1, %i, 2+1;\nadd.u32 %r, %t1+4, 2*4;\n");
  check_each([](std::uint32_t i) { return i + 31; }, "mov.u32 %r, %i+WARP_SZ-1;\n");
  check_each([](std::uint32_t i) { return i == 7 ? 1 : 0; },
             "setp.eq.u32 %p1, %i+-3, 4;\nselp.u32 %r, 1, 0, %p1;\n");
  // The register's own width counts, and what is added are bits, also to a float.
  check_each([](std::uint32_t i) { return (i + 0xffff) & 0xffff; },
             "cvt.u16.u32 %h0, %i;\ncvt.u32.u16 %r, %h0+65535;\n");
  check_each([](std::uint32_t i) { return i + 2; },
             "cvt.u64.u32 %w1, %i;\nadd.u64 %w1, %w1+0x100000001, 1;\nshl.b64 %w2, %w1, 32;\n"
             "shr.u64 %w2, %w2, 32;\ncvt.u32.u64 %r, %w2;\n");
  check_each([](std::uint32_t) { return 0x3f800002u; },
             "mov.b32 %t1, 0f3f800000;\nadd.f32 %r, %t1+2, 0f00000000;\n");
  // A carry that is under way is left alone.
  check_each([](std::uint32_t i) { return i + 11; },
             "add.cc.u32 %t1, %i, 0xffffffff;\nadd.cc.u32 %t1, 1, 0xffffffff;\n"
             "addc.u32 %r, %i+4, 6;\n");
  // What is stored, too; the register itself stays.
  check_each([](std::uint32_t i) { return 2 * i + 5; },
             ".shared .align 4 .b8 s[128];\nshl.b32 %t1, %i, 2;\nmov.u32 %t2, s;\n"
             "add.u32 %t1, %t1, %t2;\nst.shared.u32 [%t1], %i+5;\nld.shared.u32 %r, [%t1];\n"
             "add.u32 %r, %r, %i;\n");
  check_each([](std::uint32_t i) { return i % 2 != 0 ? i + 9 : 3; },
             "mov.u32 %r, 3;\nand.b32 %t1, %i, 1;\nsetp.eq.u32 %p1, %t1, 1;\n"
             "@%p1 add.u32 %r, %i+4, 5;\n");
  CHECK(refusal("mov.pred %p, %p+1;\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("ld.global.u32 %r+1, [%w];\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("add.u32 %r+1, %r, 1;\n") == ErrorCode::ptx_unsupported);
}

TEST_CASE("a sum is as undefined as the register in it", "[device]") {
  for (const char* what :
       {"st.global.u32 [%w], %r+1;\n", "add.u32 %r, 2, %r+1;\nst.global.u32 [%w], %r;\n"}) {
    CAPTURE(what);
    PtxBench bench(std::string(".visible .entry k(.param .u64 x)\n{\n.reg .b32 %r;\n.reg .b64 %w;\n"
                               "ld.param.u64 %w, [x];\nld.global.u32 %r, [%w+4];\n") +
                   what + "ret;\n}\n");
    const LaunchRecord record =
        bench.launch({1, 1, 1}, {1, 1, 1}, bench.room<std::uint32_t>("x", 2));
    REQUIRE(record.findings_total == 1);
    CHECK(record.findings[0].error.code == ErrorCode::uninitialised_read);
  }
}

TEST_CASE("vectors are made of special registers", "[device]") {
  check_each([](std::uint32_t i) { return i + kThreads; },
             "mov.b64 %w1, {%tid.x, %ntid.x};\ncvt.u32.u64 %t1, %w1;\nshr.u64 %w1, %w1, 32;\n"
             "cvt.u32.u64 %r, %w1;\nadd.u32 %r, %r, %t1;\n");
  check_each([](std::uint32_t i) { return i + 100 * kThreads; },
             ".shared .align 16 .b8 s[16];\nmov.u64 %w1, s;\n"
             "st.shared.v2.u32 [%w1], {%ntid.x, %ctaid.y};\nld.shared.u32 %t1, [%w1];\n"
             "mad.lo.u32 %r, %t1, 100, %i;\n");
  check_each([](std::uint32_t i) { return i << 8 | kThreads; },
             ".reg .b128 %q;\n.reg .b32 %z<4>;\nmov.b128 %q, {%ntid.x, %laneid, %i, %ctaid.x};\n"
             "mov.b128 {%z0, %z1, %z2, %z3}, %q;\nshl.b32 %r, %z1, 8;\nor.b32 %r, %r, %z0;\n"
             "or.b32 %r, %r, %z3;\n");
  const std::string whole =
      ".reg .b32 %z<4>;\n{}mad.lo.u32 %r, %z1, 1000, %z0;\nadd.u32 %r, %r, %z2;\n"
      "add.u32 %r, %r, %z3;\n";
  for (const char* move :
       {"mov.v4.b32 {%z0, %z1, %z2, %z3}, %tid;\n", "mov.v4.s32 {%z0, %z1, %z2, %z3}, %tid;\n",
        ".reg .b128 %q;\nmov.b128 %q, %tid;\nmov.b128 {%z0, %z1, %z2, %z3}, %q;\n"}) {
    check_each([](std::uint32_t i) { return i; }, fmt::format(fmt::runtime(whole), move));
  }
  check_each([](std::uint32_t) { return kThreads + 1; },
             "mov.v4.u16 {%h0, %h1, %h2, _}, %ntid;\ncvt.u32.u16 %r, %h0;\n"
             "cvt.u32.u16 %t1, %h1;\nadd.u32 %r, %r, %t1;\n");
  // Only as an element, and only of its own width.
  CHECK(refusal("add.u32 %r, %tid.x, 1;\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("st.global.u32 [%w], %laneid;\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("mov.b32 %r, {%laneid, %tid.x};\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("mov.b64 %w, {%r, %clock64};\n") == ErrorCode::ptx_unsupported);
}

TEST_CASE("predicates are read negated wherever they are read", "[device]") {
  const std::string set =
      "and.b32 %t1, %i, 1;\nsetp.eq.u32 %p1, %t1, 1;\nand.b32 %t1, %i, 2;\n"
      "setp.eq.u32 %p2, %t1, 2;\n";
  const std::string get = "selp.b32 %r, 1, 0, %p3;\n";
  const auto one = [](std::uint32_t i) { return i % 2 != 0; };
  const auto two = [](std::uint32_t i) { return i / 2 % 2 != 0; };
  check_each([&](std::uint32_t i) { return !one(i) && two(i) ? 1 : 0; },
             set + "and.pred %p3, !%p1, %p2;\n" + get);
  check_each([&](std::uint32_t i) { return !one(i) || !two(i) ? 1 : 0; },
             set + "or.pred %p3, !%p1, !%p2;\n" + get);
  check_each([&](std::uint32_t i) { return one(i) != !two(i) ? 1 : 0; },
             set + "xor.pred %p3, %p1, !%p2;\n" + get);
  check_each([&](std::uint32_t i) { return one(i) ? 1 : 0; }, set + "not.pred %p3, !%p1;\n" + get);
  check_each([&](std::uint32_t i) { return one(i) ? 0 : 1; }, set + "mov.pred %p3, !%p1;\n" + get);
  check_each([&](std::uint32_t i) { return one(i) ? 7 : i; }, set + "selp.b32 %r, %i, 7, !%p1;\n");
  // Behind a guard, the other lanes keep what they had.
  check_each([&](std::uint32_t i) { return two(i) ? (one(i) ? 0 : 1) : 1; },
             set + "mov.pred %p3, 1;\n@%p2 and.pred %p3, %p3, !%p1;\n" + get);
  CHECK(refusal("add.u32 %r, !%p, 1;\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("setp.eq.u32 !%p, %r, 1;\n") == ErrorCode::ptx_unsupported);
}

TEST_CASE("initcheck knows that a negated predicate may settle a result", "[device]") {
  // %p2 is undefined; where %p1 holds, !%p1 settles the conjunction.
  check_each([](std::uint32_t) { return 0u; },
             "setp.eq.u32 %p1, %i, %i;\nand.pred %p3, !%p1, %p2;\nselp.b32 %r, 1, 0, %p3;\n");
  check_each([](std::uint32_t) { return 1u; },
             "setp.ne.u32 %p1, %i, %i;\nor.pred %p3, %p2, !%p1;\nselp.b32 %r, 1, 0, %p3;\n");
}

TEST_CASE("a function's parameter whose address is taken lies in local memory", "[device]") {
  const std::string call =
      ".param .align 8 .b8 a[16];\n.param .b32 q;\nadd.u32 %t1, %i, 1000;\n"
      "st.param.v4.b32 [a], {%i, %t0, %t1, 5};\ncall (q), f, (a);\nld.param.b32 %r, [q];\n";
  const auto function = [](const std::string& body) {
    return ".func (.param .b32 q) f(.param .align 8 .b8 a[16])\n{\n.reg .b32 %x, %y;\n"
           ".reg .b64 %p, %g;\n" +
           body + "st.param.b32 [q], %x;\nret;\n}\n";
  };
  const auto third = [](std::uint32_t i) { return i + 1000; };
  check_each(third, call, function("mov.b64 %p, a;\nld.local.u32 %x, [%p+8];\n"));
  check_each(third, call, function("mov.b64 %p, a;\nld.param.u32 %x, [%p+8];\n"));
  check_each(third, call, function("mov.b64 %p, a;\ncvta.local.u64 %g, %p;\nld.u32 %x, [%g+8];\n"));
  check_each(third, call, function("mov.b64 %p, a+4;\nld.local.u32 %x, [%p+4];\n"));
  // What is written through the address is what the parameter then is.
  check_each([](std::uint32_t i) { return 7 * i; }, call,
             function("mov.b64 %p, a;\nld.param.u32 %y, [a];\nmul.lo.u32 %y, %y, 7;\n"
                      "st.local.u32 [%p+12], %y;\nld.param.u32 %x, [a+12];\n"));
  // An index that each lane has for itself.
  check_each([](std::uint32_t i) { return i % 2 != 0 ? 100 + i : i; }, call,
             function("mov.b64 %p, a;\nld.param.u32 %y, [a];\nand.b32 %y, %y, 1;\n"
                      "mul.wide.u32 %g, %y, 4;\nadd.u64 %p, %p, %g;\nld.local.u32 %x, [%p];\n"));
}

TEST_CASE("a function writes what it returns through its address", "[device]") {
  const std::string call =
      ".param .align 8 .b8 q[16];\n.param .b32 a;\nst.param.b32 [a], %i;\ncall (q), f, (a);\n"
      "ld.param.b32 %r, [q+8];\nld.param.b32 %t1, [q];\nmad.lo.u32 %r, %t1, 1000, %r;\n";
  const auto function = [](const std::string& body) {
    return ".func (.param .align 8 .b8 q[16]) f(.param .b32 a)\n{\n.reg .b32 %x;\n"
           ".reg .b64 %p, %g;\n.reg .pred %c;\nld.param.b32 %x, [a];\n" +
           body + "}\n";
  };
  const auto both = [](std::uint32_t i) { return 7000 + i; };
  check_each(both, call,
             function("st.param.u32 [q], 7;\nmov.b64 %p, q;\nst.local.u32 [%p+8], %x;\nret;\n"));
  check_each(both, call,
             function("mov.b64 %p, q;\ncvta.local.u64 %g, %p;\nst.u32 [%g], 7;\n"
                      "st.param.u32 [q+8], %x;\n"));  // it runs off its end
  // Lanes that return early, and a change of what was there.
  check_each([](std::uint32_t i) { return i < 8 ? 1000 + i : 7000 + i; }, call,
             function("mov.b64 %p, q+8;\nst.local.u32 [%p], %x;\nst.param.u32 [q], 1;\n"
                      "setp.lt.u32 %c, %x, 8;\n@%c ret;\nld.local.u32 %x, [%p+-8];\n"
                      "add.u32 %x, %x, 6;\nst.local.u32 [%p+-8], %x;\nret;\n"));
}

TEST_CASE("an element of an array is an address, by a constant, a register, or both", "[device]") {
  const std::string table =
      ".global .align 4 .u32 g[8] = {10, 11, 12, 13, 14, 15, 16, 17};\n"
      ".const .align 2 .u16 c[8] = {20, 21, 22, 23, 24, 25, 26, 27};\n";
  const std::string low = "and.b32 %t1, %i, 3;\n";
  check_each([](std::uint32_t) { return 13u; }, "ld.global.u32 %r, g[3];\n", table);
  check_each([](std::uint32_t i) { return 10 + i % 4; }, low + "ld.global.u32 %r, g[%t1];\n",
             table);
  check_each([](std::uint32_t i) { return 12 + i % 4; }, low + "ld.global.u32 %r, g[%t1+2];\n",
             table);
  check_each([](std::uint32_t i) { return 10 + i % 4; }, low + "ld.u32 %r, g[%t1];\n", table);
  check_each([](std::uint32_t i) { return 21 + i % 4; },
             low + "cvt.u16.u32 %h0, %t1;\nld.const.u16 %h1, c[%h0+1];\ncvt.u32.u16 %r, %h1;\n",
             table);
  // A signed index counts backwards too.
  check_each([](std::uint32_t i) { return 15 - i % 4; },
             low + ".reg .s32 %s;\nsub.s32 %s, 0, %t1;\nld.global.u32 %r, g[%s+5];\n", table);
  check_each([](std::uint32_t i) { return 10 + i % 4; },
             low + "cvt.u64.u32 %w1, %t1;\nmov.u64 %w2, g[%w1];\nld.global.u32 %r, [%w2];\n",
             table);
  check_each([](std::uint32_t) { return 12u; }, "mov.u64 %w2, g[2];\nld.global.u32 %r, [%w2];\n",
             table);
  check_each([](std::uint32_t i) { return 100 + i; },
             ".shared .u32 s[32];\nst.shared.u32 s[%i], %t0;\nbar.warp.sync -1;\n"
             "ld.u32 %r, s[%i];\n");
  check_each(
      [](std::uint32_t i) { return i % 2 != 0 ? 100 + i : 0; },
      ".local .u32 l[4];\nand.b32 %t1, %i, 1;\nst.local.u32 l[0], 0;\nst.local.u32 l[1], 0;\n"
      "st.local.u32 l[%t1], %t0;\nld.local.u32 %r, l[1];\n");
  check_each([](std::uint32_t i) { return i % 2 != 0 ? 1000 + i : i; },
             ".param .align 4 .b32 a[2];\n.param .b32 q;\nadd.u32 %t1, %i, 1000;\n"
             "st.param.b32 [a], %i;\nst.param.b32 [a+4], %t1;\ncall (q), f, (a);\n"
             "ld.param.b32 %r, [q];\n",
             ".func (.param .b32 q) f(.param .align 4 .b32 a[2])\n{\n.reg .b32 %x;\n"
             "ld.param.b32 %x, a[0];\nand.b32 %x, %x, 1;\nld.param.b32 %x, a[%x];\n"
             "st.param.b32 [q], %x;\nret;\n}\n");
  CHECK(!ptx::parse(ptx_header() + table +
                        ".visible .entry k()\n{\n.reg .b32 %r;\nadd.u32 %r, g[%r], 1;\nret;\n}\n",
                    "t.ptx"));
}

TEST_CASE("functions that call themselves have each their own parameter in memory", "[device]") {
  // f(n, x) = x + f(n - 1, x + 1), read back through the address behind the inner call.
  const std::string f =
      ".func (.param .b32 q) f(.param .align 4 .b8 a[8])\n{\n.reg .b32 %n, %x, %y;\n.reg .b64 %p;\n"
      ".reg .pred %last;\nmov.b64 %p, a;\nld.local.u32 %n, [%p];\nld.local.u32 %x, [%p+4];\n"
      "mov.u32 %y, 0;\nsetp.eq.u32 %last, %n, 0;\n@%last bra END;\n{\n.param .align 4 .b8 b[8];\n"
      ".param .b32 s;\nsub.u32 %n, %n, 1;\nadd.u32 %x, %x, 1;\nst.param.b32 [b], %n;\n"
      "st.param.b32 [b+4], %x;\ncall (s), f, (b);\nld.param.b32 %y, [s];\n}\n"
      "END:\nld.local.u32 %x, [%p+4];\nadd.u32 %y, %y, %x;\nst.param.b32 [q], %y;\nret;\n}\n";
  check_each([](std::uint32_t i) { return i + (i + 1) + (i + 2) + (i + 3); },
             ".param .align 4 .b8 a[8];\n.param .b32 q;\nst.param.b32 [a], 3;\n"
             "st.param.b32 [a+4], %i;\ncall (q), f, (a);\nld.param.b32 %r, [q];\n",
             f);
}

TEST_CASE("arguments and results may be predicates and vectors of registers", "[device]") {
  check_each([](std::uint32_t i) { return i % 2 != 0 ? 2 * i : 5; },
             "and.b32 %t1, %i, 1;\nsetp.ne.u32 %p1, %t1, 0;\ncall (%r, %p2), f, (%i, %p1);\n"
             "@!%p2 mov.u32 %r, 5;\n",
             ".func (.reg .b32 a, .reg .pred b) f(.reg .b32 x, .reg .pred y)\n{\nadd.u32 a, x, x;\n"
             "mov.pred b, y;\nret;\n}\n");
  check_each([](std::uint32_t i) { return 1000 * i + 100 + i; },
             ".reg .v2 .b32 %v;\nmov.b32 %v.x, %i;\nmov.b32 %v.y, %t0;\ncall (%v), f, (%v);\n"
             "mad.lo.u32 %r, %v.y, 1000, %v.x;\n",
             ".func (.reg .v2 .b32 a) f(.reg .v2 .b32 x)\n{\nmov.b32 a.x, x.y;\n"
             "mov.b32 a.y, x.x;\nret;\n}\n");
  check_each([](std::uint32_t i) { return i + 9; },
             "call ({%t1, %t2}), f, ({%i, 9});\nadd.u32 %r, %t1, %t2;\n",
             ".func (.reg .v2 .b32 a) f(.reg .v2 .b32 x)\n{\nmov.v2.b32 a, x;\nret;\n}\n");
}

TEST_CASE("a local variable named without its space is meant generically", "[device]") {
  check_each([](std::uint32_t i) { return 100 + i; },
             ".local .align 8 .b8 l[32];\nst.u32 [l+4], %t0;\nld.local.u32 %r, [l+4];\n");
  check_each([](std::uint32_t i) { return 100 + i; },
             ".local .align 8 .b8 l[32];\nst.local.u32 [l+4], %t0;\nld.u32 %r, [l+4];\n");
}

TEST_CASE("surfaces are read into registers of 8 bits, as memory is", "[device]") {
  CHECK(refusal(".reg .b8 %c;\nmov.u64 %w, 0;\n@%p suld.b.1d.b8.trap {%c}, [%w, {%r}];\n") ==
        ErrorCode::cancelled);
}

TEST_CASE("an address of 32 bits is refused with what to do about it", "[device]") {
  PtxBench bench(".visible .entry k()\n{\n.reg .b32 %r;\nld.global.u32 %r, [%r];\nret;\n}\n");
  const auto record = bench.try_launch({1, 1, 1}, {1, 1, 1});
  REQUIRE(!record);
  CHECK(record.error().english().find(".address_size 64") != std::string::npos);
}

TEST_CASE("an integer is not taken for the bits of a float", "[device]") {
  CHECK(refusal(".reg .f32 %f;\nadd.f32 %f, %f, 1;\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal(".reg .f64 %f;\nfma.rn.f64 %f, %f, %f, 2;\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal(".reg .f32 %f;\nadd.f32 %f, %f, 1.0;\n") == ErrorCode::cancelled);
}

TEST_CASE("a variable that nobody defines is named", "[device]") {
  PtxBench bench(
      ".extern .global .b32 far;\n.visible .entry k()\n{\n.reg .b64 %w;\nmov.u64 %w, "
      "far;\nret;\n}\n");
  const auto record = bench.try_launch({1, 1, 1}, {1, 1, 1});
  REQUIRE(!record);
  CHECK(record.error().code == ErrorCode::ptx_unresolved);
}

TEST_CASE("a label's colon may stand on the next line", "[device]") {
  check_each([](std::uint32_t i) { return i; },
             "mov.u32 %r, %i;\nbra AFTER;\nmov.u32 %r, 5;\nAFTER\n:\n");
}

TEST_CASE("a vector of one part is loaded and stored as compilers write it", "[device]") {
  check_each([](std::uint32_t i) { return 100 + i; },
             "ld.global.b32 { %t1 }, [ %w0 + 0 ];\nmov.b32 {%t2}, %t1;\nst.shared.b32 [s], {%t2};\n"
             "mov.b32 %t3, {%t1};\nst.global.b32 [%out], {%t3};\nld.global.b32 {%r}, [%out];\n",
             ".shared .align 4 .b32 s;\n");
  CHECK(refusal("ld.global.v2.b32 {%r}, [%w];\n") == ErrorCode::ptx_unsupported);
  CHECK(refusal("add.u32 {%r}, %r, %r;\n") == ErrorCode::ptx_unsupported);
}

TEST_CASE("an instruction names no variable of another state space", "[device]") {
  const std::string variables =
      ".global .align 8 .b64 g;\n.shared .align 8 .b64 s;\n.const .align 8 .b64 c = 1;\n";
  const auto said = [&](const std::string& body) {
    PtxBench bench(variables +
                   ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r;\n.reg .b64 %w;\n" + body +
                   "\nret;\n}\n");
    const auto record = bench.try_launch({1, 1, 1}, {1, 1, 1}, std::uint64_t{0});
    return record ? std::string() : record.error().english();
  };
  for (const char* body :
       {"ld.global.b32 %r, [p];", "ld.b32 %r, [p];", "ld.shared.b32 %r, [g];",
        "ld.global.b32 %r, [s];", "ld.const.b32 %r, [g];", "ld.param.b32 %r, [g];",
        "ld.local.b32 %r, [g];", "st.global.b32 [s+4], %r;", "atom.shared.add.u32 %r, [g], 1;",
        "ld.global.nc.b32 %r, [s];", "cp.async.ca.shared.global [g], [g], 4;"}) {
    CAPTURE(body);
    CHECK(said(body).find("is not in the state space") != std::string::npos);
  }
  for (const char* body : {"ld.global.b32 %r, [g+4];", "ld.b32 %r, [c];", "ld.param.b32 %r, [p];",
                           "st.shared.b32 [s], 1;", "st.b32 [s], 1;", "ld.const.b32 %r, [c];"}) {
    CAPTURE(body);
    CHECK(said(body).empty());
  }
}

TEST_CASE("comparisons of one half have one result, those of two may have two", "[device]") {
  for (const char* type : {"f16", "bf16"}) {
    const std::string wide = std::string(type) + "x2";
    const auto code = [&](const std::string& body) {
      return refusal(".reg .b16 %h;\n.reg .pred %q;\nmov.b16 %h, 0;\nmov.b32 %r, 0;\n" + body);
    };
    CHECK(code(fmt::format("setp.eq.{} %p, %h, %h;\n", type)) == ErrorCode::cancelled);
    CHECK(code(fmt::format("setp.eq.{} %p|%q, %h, %h;\n", type)) == ErrorCode::ptx_unsupported);
    CHECK(code(fmt::format("setp.eq.{} %p|%q, %r, %r;\n", wide)) == ErrorCode::cancelled);
  }
}

}  // namespace warpbook::device::tests::operands_test
