#include "gui/controls/highlight.hpp"

#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::highlight_test {

TEST_CASE("a line of TOML is coloured as such") {
  bool in_comment = false;
  const auto kinds = [&](std::string_view line) {
    std::vector<Token::Kind> found;
    for (const Token& token : highlight(line, dialect_of("toml"), in_comment))
      found.push_back(token.kind);
    return found;
  };
  using Kind = Token::Kind;
  CHECK(kinds("[matrix]") == std::vector{Kind::directive});
  CHECK(kinds("layout = \"nchw\"") == std::vector{Kind::text, Kind::string});
  CHECK(kinds("workspace = 131  # bytes /* of") ==
        std::vector{Kind::text, Kind::number, Kind::text, Kind::comment});
  CHECK_FALSE(in_comment);
  CHECK(dialect_of("ptx") == Dialect::ptx);
  CHECK(dialect_of("") == Dialect::plain);
  CHECK(dialect_of("cuda") == Dialect::cuda);
}

}  // namespace warpbook::gui::highlight_test
