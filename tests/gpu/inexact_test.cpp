#include "tests/gpu/inexact.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::inexact_test {

using Names = std::vector<std::string>;

TEST_CASE("Plain arithmetic gives the same bits everywhere") {
  CHECK(inexact_instructions(R"(
.version 9.0
.visible .entry k(.param .u64 approx) // ex2.approx.f32 in a comment
{
  .reg .f32 %f<4>;
  fma.rn.f32 %f1, %f2, %f3, %f1;
  div.rn.f32 %f1, %f2, %f3; sqrt.rn.f32 %f1, %f2;
  atom.global.add.u32 %r1, [%rd1], 1;
  red.global.max.s32 [%rd1], %r1;
  /* tanh.approx.f32 %f1, %f2; */
  wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1], %r2;
$L__BB0_1:
  ret;
})")
            .empty());
}

TEST_CASE("Approximations, matrix units, textures and atomic sums of floats are named, each once") {
  CHECK(inexact_instructions(R"(
  ex2.approx.ftz.f32 %f1, %f2;
  @%p1 ex2.approx.ftz.f32 %f1, %f2;
L: rsqrt.approx.f32 %f1, %f2; { div.full.f32 %f1, %f2, %f3; }
  mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2}, {%r1}, {%r2}, {%f1, %f2};
  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];
  atom.global.add.f32 %f1, [%rd1], %f2;
  red.global.add.noftz.f16x2 [%rd1], %r1;
)") == Names{"atom.global.add.f32", "div.full.f32", "ex2.approx.ftz.f32",
             "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "red.global.add.noftz.f16x2",
             "rsqrt.approx.f32", "tex.2d.v4.f32.f32"});
}

TEST_CASE("Text that is no PTX has no instructions") {
  CHECK(inexact_instructions("").empty());
  CHECK(inexact_instructions("/* never closed ex2.approx.f32").empty());
  CHECK(inexact_instructions(";;;\n\n@@@ :").empty());
}

}  // namespace warpbook::tests::inexact_test
