// PTX as compilers wrote it before version 3.0, and heads that old and new ones leave open.
#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::old_ptx_test {
namespace {

std::vector<std::uint32_t> run_it(const std::string& text) {
  CAPTURE(text);
  PtxBench bench(text);
  const Pointer out = bench.buffer("out", std::vector<std::uint32_t>(32));
  bench.good({1, 1, 1}, {32, 1, 1}, out);
  return bench.read<std::uint32_t>(out, 32);
}

std::vector<std::uint32_t> twice_each() {
  std::vector<std::uint32_t> want;
  for (std::uint32_t i = 0; i < 32; ++i) want.push_back(2 * i);
  return want;
}

}  // namespace

TEST_CASE("kernels of PTX 1.3 declare their parameters in their bodies", "[device]") {
  CHECK(run_it("\t.version 1.3\n\t.target sm_10, map_f64_to_f32\n\t.entry twice\n\t{\n"
               "\t.reg .u32 %r<4>;\n\t.reg .u64 %rd<4>;\n\t.param .u64 __cudaparm_out;\n"
               "$LBB1_twice:\n\tcvt.u32.u16 %r1, %tid.x;\n\tadd.u32 %r2, %r1, %r1;\n"
               "\tld.param.u64 %rd1, [__cudaparm_out];\n\tmul.wide.u32 %rd2, %r1, 4;\n"
               "\tadd.u64 %rd3, %rd1, %rd2;\n\tst.global.u32 [%rd3+0], %r2;\n\texit;\n"
               "$LDWend_twice:\n\t} // twice\n") == twice_each());
}

TEST_CASE("before PTX 3.0, registers and local variables may be declared for the whole module",
          "[device]") {
  const std::string body =
      ".entry k(.param .u64 out)\n{\nmov.u32 %ra1, %tid.x;\nmul.wide.u32 %rda0, %ra1, 4;\n"
      "ld.param.u64 %rda1, [out];\nadd.u64 %rda1, %rda1, %rda0;\nst.local.u32 [kept], %ra1;\n"
      "ld.local.u32 %ra2, [kept];\nadd.u32 %ra1, %ra1, %ra2;\nst.global.u32 [%rda1], "
      "%ra1;\nexit;\n}\n";
  const std::string declared =
      ".reg .u32 %ra<17>;\n.reg .u64 %rda<2>;\n.local .u32 kept;\n.entry other { exit; }\n";
  PtxBench bench(".version 2.3\n.target sm_20\n.address_size 64\n" + declared + body);
  bench.request.kernel = "k";
  const Pointer out = bench.buffer("out", std::vector<std::uint32_t>(32));
  bench.good({1, 1, 1}, {32, 1, 1}, out);
  CHECK(bench.read<std::uint32_t>(out, 32) == twice_each());
  CHECK(!ptx::parse(".version 3.0\n.target sm_20\n.address_size 64\n" + declared + body, "t.ptx"));
}

TEST_CASE("a handle that is said to be a texture's is an integer of 64 bits", "[device]") {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 .ptr .texref "
      "t, "
      ".param .u64 .ptr .surfref .align 8 s) { ret; }\n",
      "t.ptx");
  REQUIRE(module);
  for (const ptx::Variable& parameter : module->functions[0].parameters)
    CHECK(parameter.type == ptx::Type::u64);
}

TEST_CASE("a prototype may go without a semicolon", "[device]") {
  CHECK(
      run_it(".version 2.1\n.target sm_20\n"
             ".visible .func (.param .u32 r) two (.param .u32 a)\n"
             ".func (.param .u32 r) unused (.param .u32 a)\n"
             ".visible .func (.param .u32 r) two (.param .u32 a)\n"
             "{\n.reg .u32 %r;\nld.param.u32 %r, [a];\nadd.u32 %r, %r, %r;\n"
             "st.param.u32 [r], %r;\nret;\n}\n"
             ".entry k (.param .u64 out)\n{\n.reg .u32 %r;\n.reg .u64 %rd<3>;\n.param .u32 a;\n"
             ".param .u32 r;\nmov.u32 %r, %tid.x;\nmul.wide.u32 %rd1, %r, 4;\n"
             "ld.param.u64 %rd2, [out];\nadd.u64 %rd2, %rd2, %rd1;\nst.param.u32 [a], %r;\n"
             "call (r), two, (a);\nld.param.u32 %r, [r];\nst.global.u32 [%rd2], %r;\nexit;\n}\n") ==
      twice_each());
}

}  // namespace warpbook::device::tests::old_ptx_test
