#include "lab/text/unicode.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::lab::unicode_test {

TEST_CASE("capitals and small letters are folded to the same, at the same places") {
  CHECK(case_folded("Grid-STRIDE 09_[@`{") == "grid-stride 09_[@`{");
  CHECK(case_folded("ÀÖØÞ×ß") == "àöøþ×ß");
  CHECK(case_folded("ΔΣΩ δσω") == "δσω δσω");
  CHECK(case_folded("ЯЖЁ") == "яжё");
  CHECK(case_folded("线程束（Warp）") == "线程束（warp）");
  for (const std::string text : {"", "\xFF\xC3", "a\xE4\xBD", "ÀЁΩ字A"})
    CHECK(case_folded(text).size() == text.size());
  CHECK(case_folded("\xC3"
                    "A") ==
        "\xC3"
        "a");
}

}  // namespace warpbook::lab::unicode_test
