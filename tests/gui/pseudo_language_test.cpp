// The window in the made-up language of tests/pseudo_language.hpp: no label is in English of its own, and none that is two
// fifths longer than in English is cut short.
#include <cstdlib>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "lessons/catalogue.hpp"
#include "tests/gui/stage.hpp"
#include "tests/pseudo_language.hpp"

namespace warpbook::gui::pseudo_language_test {
namespace {

/// Sets an environment variable for the life of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("the window in the pseudo-language: nothing is in English, and nothing is cut", "[ci]") {
  const tests::PseudoBook book;
  const Variable root("WARPBOOK_ROOT", book.path());
  Stage stage(1440, 900, "xx");
  std::set<std::string> drawn, cut;
  stage.context().fonts().set_watch({[&](std::string_view text) { drawn.emplace(text); },
                                     [&](std::string_view text) { cut.emplace(text); }});
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    CAPTURE(lesson.slug);
    drawn.clear();
    cut.clear();
    stage.open_answered(lesson.slug);
    cut.clear();  // on the way a title lists all that a question has set, which may be too much for it
    stage.book().set_reduced_motion(true);  // a panel that is still growing may cut its title
    for (std::size_t step = 0; step < stage.shell().document().steps().size(); ++step) {
      stage.shell().document().go_to_step(step);
      for (int i = 0; i < 6; ++i) stage.frame();
    }
    for (const std::string& text : drawn) {
      for (const std::string& word : tests::english_in(text)) {
        CAPTURE(text);
        FAIL_CHECK(word);
      }
    }
    for (const std::string& text : cut) {
      if (!text.starts_with("«")) continue;  // a name or a figure, of any length
      CAPTURE(text);
      FAIL_CHECK("ends in \"…\" when it is two fifths longer");
    }
  }
}

}  // namespace warpbook::gui::pseudo_language_test
