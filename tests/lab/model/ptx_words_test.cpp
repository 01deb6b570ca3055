// Instructions of PTX taken apart, guards, vectors and addresses among them.
#include <catch2/catch_test_macros.hpp>

#include "lab/model/ptx_words.hpp"

namespace warpbook::lab::ptx_words_test {
namespace {
using Registers = std::vector<std::vector<std::string>>;
}

TEST_CASE("PTX words: registers stand by operand, those of vectors together") {
  const PtxWords load = ptx_words("ld.global.nc.v2.f32 \t{%f1, %f2}, [%rd4+16];");
  CHECK(load.opcode == "ld.global.nc.v2.f32");
  CHECK(load.operands == Registers{{"%f1", "%f2"}, {"%rd4"}});
  const PtxWords texture = ptx_words("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r3}];");
  CHECK(texture.operands == Registers{{"%f1", "%f2", "%f3", "%f4"}, {"%rd2", "%r3"}});
}

TEST_CASE("PTX words: a guard is left out, numbers and names hold no register") {
  const PtxWords store = ptx_words("@!%p1 st.shared.f32 [tile+8], 0f3F800000;");
  CHECK(store.opcode == "st.shared.f32");
  CHECK(store.operands == Registers{{}, {}});
  CHECK(ptx_words("bar.sync 0;").operands == Registers{{}});
  CHECK(ptx_words("ret;").opcode == "ret");
  CHECK(ptx_words("").opcode.empty());
  CHECK(ptx_words("@%p").operands.empty());
}

TEST_CASE("PTX words: a modifier is a whole word of the opcode") {
  const PtxWords words = ptx_words("ld.global.cg.f32 %f1, [%rd1];");
  CHECK(words.has("cg"));
  CHECK(words.has("f32"));
  CHECK_FALSE(words.has("c"));
  CHECK_FALSE(words.has("ld"));
}

}  // namespace warpbook::lab::ptx_words_test
