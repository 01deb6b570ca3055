// A chapter cut into screens.
#include "gui/book/screens.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lessons/catalogue.hpp"
#include "tests/gui/made_up.hpp"

namespace warpbook::gui::screens_test {
namespace {
lab::Document parsed(const std::string& markdown) {
  auto document = lab::parse_document("# T\n\n" + markdown, "en.md", "en");
  REQUIRE(document.has_value());
  return *document;
}

std::string step(const std::string& name) { return "```step\nname = \"" + name + "\"\n```\n\n"; }
std::string question(const std::string& id) {
  return "```predict\nid = \"" + id +
         "\"\nquestion = \"q\"\nanswer = \"c\"\nright = \"r\"\n[[choice]]\ntext = \"a\"\n"
         "value = \"1\"\n[[choice]]\ntext = \"b\"\nvalue = \"2\"\nmisconception = \"m\"\n"
         "why = \"w\"\n```\n\n";
}
std::string exhibit(const std::string& id) { return "```exhibit\nid = \"" + id + "\"\n```\n\n"; }
std::string term(const std::string& id) {
  return "```term\nid = \"" + id + "\"\nname = \"" + id + "\"\nmeaning = \"m\"\n```\n\n";
}
}  // namespace

TEST_CASE("a step begins a screen, and a question ends one") {
  const auto screens =
      screens_of(parsed(step("ask") + "Words.\n\n" + question("one") + "More words.\n\n" +
                        question("two") + "The rest.\n\n" + step("run") + "A run.\n"));
  REQUIRE(screens.size() == 4);
  CHECK(screens[0] == Screen{0, 3, "ask", "one"});
  CHECK(screens[1] == Screen{3, 5, "ask", "two"});
  CHECK(screens[2] == Screen{5, 6, "ask", ""});
  CHECK(screens[3] == Screen{6, 8, "run", ""});
}

TEST_CASE("the pictures below a question stay with it, because its answer uncovers them") {
  const auto screens =
      screens_of(parsed(step("ask") + question("one") + exhibit("a") + exhibit("b") + "Words.\n"));
  REQUIRE(screens.size() == 2);
  CHECK(screens[0] == Screen{0, 4, "ask", "one"});
  CHECK(screens[1] == Screen{4, 5, "ask", ""});
}

TEST_CASE("terms at the end of a step need no screen of their own, unless there is no other") {
  const auto after = screens_of(parsed(step("ask") + question("one") + term("warp")));
  REQUIRE(after.size() == 1);
  CHECK(after[0].last == 3);
  CHECK(screens_of(parsed(step("ask") + term("warp"))).size() == 1);
}

TEST_CASE("a whole step can be one screen") {
  const lab::Document document =
      parsed(step("ask") + question("one") + "Words.\n\n" + step("run") + "A run.\n");
  CHECK(screen_of_step(document, "ask") == Screen{0, 3, "ask", ""});
  CHECK(screen_of_step(document, "run") == Screen{3, 5, "run", ""});
  CHECK(screen_of_step(document, "make") == Screen{});
}

TEST_CASE("the screens of every chapter show each part of it once, and each question alone") {
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, "en");
    REQUIRE(document.has_value());
    CAPTURE(lesson.slug);
    std::size_t shown = 0;
    for (const Screen& screen : screens_of(*document)) {
      CHECK(screen.first == shown);
      shown = screen.last;
      std::size_t questions = 0;
      for (std::size_t i = screen.first; i < screen.last; ++i)
        questions += std::holds_alternative<lab::PredictDirective>(document->nodes[i]) ? 1 : 0;
      CHECK(questions == (screen.question.empty() ? 0 : 1));
    }
    CHECK(shown == document->nodes.size());
  }
}

}  // namespace warpbook::gui::screens_test
