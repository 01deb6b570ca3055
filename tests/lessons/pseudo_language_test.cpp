// Every chapter's page in the made-up language of tests/pseudo_language.hpp: what stands there in plain English was written
// into the code instead of into lang/.
#include <catch2/catch_test_macros.hpp>

#include "lab/book/chapter_page.hpp"
#include "lessons/catalogue.hpp"
#include "tests/markup.hpp"
#include "tests/pseudo_language.hpp"

namespace warpbook::tests::pseudo_language_test {
namespace {

bool is_code(const Element& text) {
  for (const Element* above = text.parent; above; above = above->parent) {
    if (above->has_class("wb-code")) return true;
  }
  return text.is_in("pre") || text.is_in("code") || text.is_in("style") || text.is_in("math");
}

/// The texts of a page that are neither code nor formulae.
std::vector<std::string> prose_of(const Element& page) {
  std::vector<std::string> texts;
  for (const Element* text : page.all([](const Element& e) { return e.name.empty(); })) {
    if (!is_code(*text)) texts.push_back(text->text);
  }
  return texts;
}

}  // namespace

TEST_CASE("Pseudo-language: every text of it has accents, brackets and two fifths more") {
  CHECK(pseudo("a thread") == "«á thréád ····»");
  CHECK(pseudo("{count} of {total}") == "«{count} óf {total} ······ ··»");
  CHECK(pseudo(", ") == ", ");
  CHECK(accented("the `index` i") == "thé `index` í");
  CHECK(english_in("thé index óf y[3] is bád: H200 of a") == std::vector<std::string>{"is", "of"});
}

TEST_CASE("Pseudo-language: no page of a chapter has English of its own", "[ci]") {
  const PseudoBook book;
  const auto strings = lab::Strings::load("xx", book.path());
  INFO((strings ? "" : strings.error().english()));
  REQUIRE(strings);
  const auto glossary = lab::load_glossary(book.path(), lessons::catalogue(), "xx");
  INFO((glossary ? "" : glossary.error().english()));
  REQUIRE(glossary);
  const auto compiler = std::make_shared<device::Compiler>();
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    CAPTURE(lesson.slug);
    const auto document = lab::load_document(book.path(), lesson.slug, "xx");
    INFO((document ? "" : document.error().english()));
    REQUIRE(document);
    lab::Inputs inputs;
    inputs.values = lab::defaults(lesson.parameters);
    const auto runs = lab::run_chapter(*document, lesson, inputs, compiler, book.path());
    REQUIRE(runs);
    const std::string html = lab::to_html_page(*document, lesson, *runs, **strings,
                                               lab::PageTheme::automatic, *glossary);
    CHECK(html.find("&lt;error.") == std::string::npos);
    for (const std::string& text : prose_of(*MarkupReader(html).read())) {
      for (const std::string& word : english_in(text)) {
        CAPTURE(text);
        FAIL_CHECK(word);
      }
    }
  }
}

}  // namespace warpbook::tests::pseudo_language_test
