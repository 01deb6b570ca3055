#include "gui/editor/line_map.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::line_map_test {

TEST_CASE("a line keeps its finding when lines are put in or taken out above it or below it") {
  const LineMap more("a\nb\nc\n", "a\nnew\nnewer\nb\nc\n");
  CHECK(more.now(1) == 1u);
  CHECK(more.now(2) == 4u);
  CHECK(more.now(3) == 5u);
  const LineMap fewer("a\nb\nc\nd\n", "b\nd\n");
  CHECK(fewer.now(1) == std::nullopt);
  CHECK(fewer.now(2) == 1u);
  CHECK(fewer.now(4) == 2u);
}

TEST_CASE("a line that was rewritten loses its finding, its neighbours keep theirs") {
  const LineMap lines("a\nb\nc\n", "a\nB\nc\n");
  CHECK(lines.now(1) == 1u);
  CHECK(lines.now(2) == std::nullopt);
  CHECK(lines.now(3) == 3u);
}

TEST_CASE("lines that no text has are nowhere") {
  const LineMap lines("a\nb", "a\nb");
  CHECK(lines.now(0) == std::nullopt);
  CHECK(lines.now(2) == 2u);
  CHECK(lines.now(3) == std::nullopt);
  CHECK(LineMap("", "").now(1) == 1u);
}

}  // namespace warpbook::gui::line_map_test
