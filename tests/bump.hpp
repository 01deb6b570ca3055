// A kernel in PTX that tests of several rooms launch.
#pragma once

namespace warpbook::tests {

/// A module of one kernel: bump(int* x, int n) adds 1 to x[i] for i < n.
inline constexpr const char* kBump = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry _Z4bumpPii(.param .u64 p0, .param .u32 p1)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p0];
  ld.param.u32 %r1, [p1];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.u32 %r6, [%rd2];
  add.s32 %r7, %r6, 1;
  st.global.u32 [%rd2], %r7;
DONE:
  ret;
}
)";

}  // namespace warpbook::tests
