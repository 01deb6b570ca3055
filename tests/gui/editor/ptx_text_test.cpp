#include "gui/editor/ptx_text.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::ptx_text_test {

TEST_CASE("mangled names become those of the source, without types") {
  CHECK(with_plain_names(".visible .entry _Z3addPKiS0_Pii(") == ".visible .entry add(");
  CHECK(with_plain_names("\tld.param.u64 %rd1, [_Z3addPKiS0_Pii_param_0];") ==
        "\tld.param.u64 %rd1, [add_param_0];");
  CHECK(with_plain_names("_Z5scaleIfEvPT_i") == "scale<float>");
  CHECK(with_plain_names("mov.u32 %r1, _ZZ4tilePfE3row;") == "mov.u32 %r1, tile::row;");
  CHECK(with_plain_names("call _Zebra, (x);") == "call _Zebra, (x);");  // no mangled name
}

TEST_CASE("directives for debuggers are left out, and every row knows its line") {
  const PtxText text(
      ".version 9.0\n\n\n.entry k()\n{\n\t.loc 1 4 3\n\tret;\n}\n\t.file 1 \"k.cu\"\n");
  REQUIRE(text.rows().size() == 6);
  CHECK(text.rows()[4].text == "    ret;");
  CHECK(text.rows()[4].line == 7);
  CHECK(text.row_of(6) == 4);  // the row after the line that is left out
  CHECK(text.row_of(7) == 4);
}

}  // namespace warpbook::gui::ptx_text_test
