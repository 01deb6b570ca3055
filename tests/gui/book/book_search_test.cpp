#include "gui/book/book_search.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/book/open_book.hpp"

namespace warpbook::gui::book_search_test {
namespace {
using Kind = BookPlace::Kind;

BookSearch search_in(const std::string& text, const std::string& language) {
  const auto document = lab::parse_document(text, "text", language);
  REQUIRE(document);
  BookSearch search;
  search.add("first", *document);
  return search;
}
}  // namespace

TEST_CASE("chapters, terms, headings and text are found, in this order, whatever their capitals") {
  const BookSearch search = search_in(
      "# Warps\n\nA Warp is a group.\n\n## How a warp runs\n\n```term\nid = \"warp\"\nname = "
      "\"warp\"\n"
      "meaning = \"32 threads.\"\n```\n",
      "en");
  const auto found = search.find("WARP", 9);
  REQUIRE(found.size() == 4);
  CHECK(found[0].kind == Kind::chapter);
  CHECK(found[1].kind == Kind::term);
  CHECK(found[2].kind == Kind::heading);
  CHECK(found[3].kind == Kind::text);
  CHECK(found[3].node == 0);
  CHECK(search.find("warp", 2).size() == 2);
  CHECK(search.find("nothing", 9).empty());
  CHECK(search.find("", 9).empty());
}

TEST_CASE("Chinese is found by its characters, and titles by their pinyin's first letters") {
  const BookSearch search = search_in("# 线程束\n\n一个线程束有三十二个线程。\n", "zh");
  const auto by_letters = search.find("xcs", 9);
  REQUIRE(by_letters.size() == 1);
  CHECK(by_letters[0].kind == Kind::chapter);
  CHECK(search.find("三十二", 9).at(0).kind == Kind::text);
}

TEST_CASE("of a long text the words around the place are shown, cut between words or characters") {
  const std::string text = std::string(200, 'a') + "线程束" + std::string(200, 'b');
  const std::string words = words_around(text, 200, 9);
  CHECK(words.find("线程束") != std::string::npos);
  CHECK(words.size() < 120);
  CHECK(words.starts_with("… a"));
  std::string english;
  for (int i = 0; i < 40; ++i) english += "touches sectors ";
  for (const std::size_t at : {322u, 331u}) {
    const std::string of_words = words_around(english, at, 4);
    CAPTURE(of_words);
    CHECK((of_words.starts_with("… touches ") || of_words.starts_with("… sectors ")));
    CHECK((of_words.ends_with(" touches …") || of_words.ends_with(" sectors …")));
  }
  std::string chinese;
  for (int i = 0; i < 12; ++i) chinese += "线程束";
  const std::string around =
      words_around(chinese, 60, 3);  // begins within a character, 36 bytes on
  CHECK((around.starts_with("… 线") || around.starts_with("… 程") || around.starts_with("… 束")));
}

TEST_CASE("the whole book is searched, in the language that it is read in") {
  OpenBook open("first-kernel");
  const auto found = open.book.search().find("coalescing", 9);
  REQUIRE_FALSE(found.empty());
  CHECK(found.front().chapter == "coalescing");
  open.book.set_language("zh");
  CHECK_FALSE(open.book.search().find("线程束", 9).empty());
}

}  // namespace warpbook::gui::book_search_test
