#include "lab/text/text_layout.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lab/text/unicode.hpp"

namespace warpbook::tests::text_layout_test {

using namespace warpbook::lab;

TEST_CASE("Latin text breaks at spaces") {
  CHECK(wrap("one two three", 8) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("one two three", 10, 2) == std::vector<std::string>{"  one two", "  three"});
  CHECK(wrap("", 10) == std::vector<std::string>{""});
  CHECK(wrap("a\n\nb", 10) == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("a word longer than the line is cut, and nothing is lost") {
  CHECK(wrap("abcdefghijklmnop", 8) == std::vector<std::string>{"abcdefgh", "ijklmnop"});
}

TEST_CASE("Chinese breaks between characters, two columns each") {
  CHECK(wrap("线程束和线程块", 8) == std::vector<std::string>{"线程束和", "线程块"});
}

TEST_CASE("no line begins with closing punctuation or ends with opening punctuation") {
  const std::string text = "每个线程（或者线程束）都有自己的编号，“编号”从零开始。它们、互不相干！";
  for (std::size_t width = 8; width < 40; ++width) {
    CAPTURE(width);
    std::string together;
    for (const std::string& line : wrap(text, width)) {
      CHECK(static_cast<std::size_t>(columns_of(line)) <= width);
      CHECK(may_break(U'中', first_character(line)));
      CHECK(may_break(last_character(line), U'中'));
      together += line;
    }
    CHECK(together == text);
  }
}

}  // namespace warpbook::tests::text_layout_test
