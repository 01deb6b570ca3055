// What random programs found in the simulator, by name.
#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::found_test {

TEST_CASE("registers of different widths never share a slot across lanes", "[device]") {
  // Even lanes wait with a 16-bit value that no odd lane needs any more; the odd ones fill 32-bit
  // registers meanwhile.
  PtxBench bench(R"(
.visible .entry k(.param .u64 y) {
  .reg .pred %p; .reg .b16 %h0; .reg .b32 %r<10>; .reg .b64 %d<2>;
  ld.param.u64 %d0, [y];
  mov.u32 %r0, %tid.x;
  mad.wide.u32 %d0, %r0, 4, %d0;
  cvt.u16.u32 %h0, %r0;
  and.b32 %r1, %r0, 1;
  setp.eq.u32 %p, %r1, 1;
  @%p bra ODD;
  bar.warp.sync -1;
  cvt.u32.u16 %r2, %h0;
  st.global.u32 [%d0], %r2;
  ret;
ODD:
  mov.u32 %r3, -1; mov.u32 %r4, -1; mov.u32 %r5, -1; mov.u32 %r6, -1;
  bar.warp.sync -1;
  add.u32 %r3, %r3, %r4; add.u32 %r5, %r5, %r6; add.u32 %r3, %r3, %r5;
  st.global.u32 [%d0], %r3;
  ret;
})");
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    CAPTURE(seed);
    bench.request.seed = seed;
    const Pointer y = bench.room<std::uint32_t>("y", 32);
    bench.good({1, 1, 1}, {32, 1, 1}, y);
    const auto got = bench.read<std::uint32_t>(y, 32);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(got[i] == (i % 2 == 0 ? i : 0xfffffffcu));
  }
}

TEST_CASE("zeros are normal numbers to testp, not subnormal ones", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 y, .param .f32 x, .param .f64 z) {
  .reg .pred %p<4>; .reg .b32 %r<5>; .reg .f32 %f; .reg .f64 %g; .reg .b64 %d;
  ld.param.u64 %d, [y]; ld.param.f32 %f, [x]; ld.param.f64 %g, [z];
  testp.normal.f32 %p0, %f; testp.subnormal.f32 %p1, %f;
  testp.normal.f64 %p2, %g; testp.subnormal.f64 %p3, %g;
  selp.u32 %r0, 1, 0, %p0; selp.u32 %r1, 2, 0, %p1;
  selp.u32 %r2, 4, 0, %p2; selp.u32 %r3, 8, 0, %p3;
  add.u32 %r0, %r0, %r1; add.u32 %r2, %r2, %r3; add.u32 %r0, %r0, %r2;
  st.global.u32 [%d], %r0;
  ret;
})");
  const Pointer y = bench.room<std::uint32_t>("y", 1);
  const auto asked = [&](float x, double z) {
    bench.good({1, 1, 1}, {1, 1, 1}, y, x, z);
    return bench.read<std::uint32_t>(y, 1)[0];
  };
  CHECK(asked(0.0f, 0.0) == 5);
  CHECK(asked(-0.0f, -0.0) == 5);
  CHECK(asked(1e-44f, 1e-320) == 10);
  CHECK(asked(1.0f, 1.0) == 5);
}

TEST_CASE("of two NaNs the first one goes through in double precision, in every build",
          "[device]") {
  // The host's own choice hangs on how the compiler ordered the operands.
  const std::vector<std::uint64_t> a{0x7ff8000000000001, 0x7ff0000000000002, 0x3ff0000000000000,
                                     0xfff8000000000003},
      b{0xfff8000000000004, 0x7ff8000000000005, 0x7ff8000000000006, 0x3ff0000000000000};
  const std::vector<std::uint64_t> first{0x7ff8000000000001, 0x7ff8000000000002, 0x7ff8000000000006,
                                         0xfff8000000000003};
  for (const char* operation :
       {"add.rn.f64 %e, %a, %b;", "add.rz.f64 %e, %a, %b;", "sub.rn.f64 %e, %a, %b;",
        "mul.rn.f64 %e, %a, %b;", "mul.rp.f64 %e, %a, %b;", "div.rn.f64 %e, %a, %b;",
        "fma.rn.f64 %e, %a, %b, %b;", "fma.rm.f64 %e, %a, 0d3FF0000000000000, %b;",
        "fma.rn.f64 %e, 0d3FF0000000000000, %a, %b;"}) {
    for (const HandlerSet set : {HandlerSet::sse2, HandlerSet::avx2}) {
      CAPTURE(operation, set == HandlerSet::sse2);
      PtxBench bench(std::string(R"(
.visible .entry k(.param .u64 x, .param .u64 y, .param .u64 z) {
  .reg .b32 %i; .reg .b64 %p; .reg .f64 %a, %b, %e;
  mov.u32 %i, %tid.x;
  ld.param.u64 %p, [x]; mad.wide.u32 %p, %i, 8, %p; ld.global.f64 %a, [%p];
  ld.param.u64 %p, [y]; mad.wide.u32 %p, %i, 8, %p; ld.global.f64 %b, [%p];
)") + operation + R"(
  ld.param.u64 %p, [z]; mad.wide.u32 %p, %i, 8, %p; st.global.f64 [%p], %e;
  ret;
})",
                     set);
      const Pointer x = bench.buffer("x", a), y = bench.buffer("y", b);
      const Pointer z = bench.room<std::uint64_t>("z", a.size());
      bench.good({1, 1, 1}, {4, 1, 1}, x, y, z);
      CHECK(bench.read<std::uint64_t>(z, a.size()) == first);
    }
  }
}

TEST_CASE("a NaN that is rounded to a whole number becomes quiet, in every build", "[device]") {
  for (const HandlerSet set : {HandlerSet::sse2, HandlerSet::avx2}) {
    PtxBench bench(R"(
.visible .entry k(.param .u64 y, .param .f64 x) {
  .reg .f64 %f<5>; .reg .b64 %d;
  ld.param.u64 %d, [y]; ld.param.f64 %f0, [x];
  cvt.rni.f64.f64 %f1, %f0; cvt.rzi.f64.f64 %f2, %f0;
  cvt.rmi.f64.f64 %f3, %f0; cvt.rpi.f64.f64 %f4, %f0;
  st.global.v2.f64 [%d], {%f1, %f2}; st.global.v2.f64 [%d+16], {%f3, %f4};
  ret;
})",
                   set);
    const Pointer y = bench.room<std::uint64_t>("y", 4);
    bench.good({1, 1, 1}, {1, 1, 1}, y, std::uint64_t{0xfff0000000000007});
    CHECK(bench.read<std::uint64_t>(y, 4) == std::vector<std::uint64_t>(4, 0xfff8000000000007));
  }
}

TEST_CASE("lanes that part in a callee meet again while others are in another callee", "[device]") {
  // Lane 1 calls `other`; lanes 0 and 2 to 31 call `one` from the same place, and part in it.
  PtxBench bench(R"(
.func (.param .b32 r) other(.param .b32 a) {
  st.param.b32 [r], 7;
  ret;
}
.func (.param .b32 r) one(.param .b32 a) {
  .reg .pred %p; .reg .b32 %r<3>;
  ld.param.b32 %r0, [a];
  mov.b32 %r1, 1;
  setp.lt.u32 %p, %r0, 2;
  @!%p bra FAR;
  bra HERE;
FAR:
  mov.b32 %r1, 2;
HERE:
  add.u32 %r1, %r1, 40;
  st.param.b32 [r], %r1;
  ret;
}
.visible .entry k(.param .u64 y) {
  .reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [y];
  mov.u32 %r0, %tid.x;
  mad.wide.u32 %d0, %r0, 4, %d0;
  mov.u64 %d1, one;
  mov.u64 %d2, other;
  setp.eq.u32 %p, %r0, 1;
  selp.b64 %d3, %d2, %d1, %p;
  { .param .b32 x; .param .b32 z;
  st.param.b32 [x], %r0;
  P: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (z), %d3, (x), P;
  ld.param.b32 %r1, [z]; }
  st.global.b32 [%d0], %r1;
  ret;
})");
  const Pointer y = bench.room<std::uint32_t>("y", 32);
  const LaunchRecord record = bench.good({1, 1, 1}, {32, 1, 1}, y);
  const auto got = bench.read<std::uint32_t>(y, 32);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(got[i] == (i == 1 ? 7u : i == 0 ? 41u : 42u));
  for (const InstructionCounters& i : record.instructions) {
    if (i.text.starts_with("add.u32")) CHECK(i.counters.warp_instructions == 1);
  }
}

}  // namespace warpbook::device::tests::found_test
