#include "gui/document/page_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gui/draw/paragraph.hpp"

namespace warpbook::gui::page_text_test {
namespace {
PageText page() {
  PageText text;
  text.add({0, 0, "Title", ""});
  text.add({2, 0, "one two", ""});
  text.add({3, 0, "first", "- "});
  text.add({3, 1, "第二项", "- "});
  text.add({5, 0, "", ""});
  text.add({6, 0, "last.", ""});
  return text;
}
std::string word(std::string_view text, std::size_t offset) {
  const auto [from, to] = word_at(text, offset);
  return std::string(text.substr(from, to - from));
}
}  // namespace

TEST_CASE("text is copied with a blank line between blocks and a list's marks") {
  const PageText text = page();
  CHECK(text.between(text.begin(), text.end()) == "Title\n\none two\n\n- first\n- 第二项\n\nlast.");
  CHECK(text.between({2, 0, 4}, {3, 0, 3}) == "two\n\n- fir");
  CHECK(text.between({3, 0, 2}, {3, 0, 4}) == "rs");
  CHECK(text.between({3, 0, 2}, {3, 0, 2}) == "");
  CHECK(text.between({2, 0, 3}, {2, 0, 999}) == " two");
  CHECK(PageText().between({0, 0, 0}, {9, 9, 9}) == "");
}

TEST_CASE("places move by whole characters, across paragraphs, and stay within the page") {
  const PageText text = page();
  CHECK(text.after({3, 1, 0}) == TextPlace{3, 1, 3});
  CHECK(text.before({3, 1, 3}) == TextPlace{3, 1, 0});
  CHECK(text.after({3, 0, 5}) == TextPlace{3, 1, 0});
  CHECK(text.before({3, 1, 0}) == TextPlace{3, 0, 5});
  CHECK(text.after(text.end()) == text.end());
  CHECK(text.before(text.begin()) == text.begin());
  TextPlace at = text.begin();
  int steps = 0;
  while (at != text.end() && steps < 100) {
    at = text.after(at);
    ++steps;
  }
  CHECK(steps == 5 + 1 + 7 + 1 + 5 + 1 + 3 + 1 + 1 + 5);
  CHECK(PageText().after({}) == TextPlace{});
}

TEST_CASE("a double click takes a word, or a Chinese run between marks") {
  CHECK(word("one two_3, four", 5) == "two_3");
  CHECK(word("one two_3, four", 4) == "two_3");
  CHECK(word("one two_3, four", 9) == ",");
  CHECK(word("one  two", 3) == "  ");
  CHECK(word("naïve", 0) == "naïve");
  CHECK(word("线程束，在 warp 里", 3) == "线程束");
  CHECK(word("线程束，在 warp 里", 9) == "，");
  CHECK(word("线程束，在 warp 里", 17) == "warp");
  CHECK(word("end", 3) == "end");
  CHECK(word("", 0) == "");
}

TEST_CASE("everything that holds the words is found, whatever its case, and never twice") {
  const PageText text = page();
  CHECK(text.find("ONE") == std::vector<TextRange>{{2, 0, 0, 3}});
  CHECK(text.find("T").size() == 5);
  CHECK(text.find("二项") == std::vector<TextRange>{{3, 1, 3, 9}});
  CHECK(text.find("").empty());
  CHECK(text.find("three").empty());
  CHECK(text.find("- first").empty());  // a list's mark is no text
  PageText repeated;
  repeated.add({1, 0, "aaaa", ""});
  CHECK(repeated.find("aa").size() == 2);
}

TEST_CASE("a formula is gone over, and taken by a double click, as one piece") {
  PageText text;
  text.add({1, 0, "is x + 1 now", "", {{3, 8}}});
  CHECK(text.after({1, 0, 2}) == TextPlace{1, 0, 3});
  CHECK(text.after({1, 0, 3}) == TextPlace{1, 0, 8});
  CHECK(text.before({1, 0, 8}) == TextPlace{1, 0, 3});
  CHECK(text.before({1, 0, 3}) == TextPlace{1, 0, 2});
  const auto [from, to] = text.unit_at({1, 0, 5}, Grain::word);
  CHECK(from.offset == 3);
  CHECK(to.offset == 8);
}

TEST_CASE("a hyphen finds a minus as well, each place once and in order") {
  PageText text;
  text.add({1, 0, "a-b, a − b and a-b", ""});
  CHECK(text.find("a-b") == std::vector<TextRange>{{1, 0, 0, 3}, {1, 0, 17, 20}});
  CHECK(text.find("a - b") == std::vector<TextRange>{{1, 0, 5, 12}});
  CHECK(text.find("-").size() == 3);
}

}  // namespace warpbook::gui::page_text_test
