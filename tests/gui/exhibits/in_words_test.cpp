#include "gui/exhibits/in_words.hpp"

#include <string>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::in_words_test {
namespace {
/// Whether any text that is drawn holds these words.
bool says(Stage& stage, const std::string& words) {
  bool found = false;
  stage.context().fonts().set_watch(
      {[&](std::string_view text) { found |= text.find(words) != text.npos; }, {}});
  for (int i = 0; i < 3; ++i) stage.frame();
  stage.context().fonts().set_watch({});
  return found;
}
void press_the_key(Stage& stage) {
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_W); });
}
}  // namespace

TEST_CASE(
    "a key shows exhibits in words, with where their figures come from, and as pictures again") {
  constexpr const char* kFrom = "[counted · H200, simulated]";
  Stage stage(1440, 2000);
  stage.open_made_up();
  stage.book().answer("threads", "12");
  stage.settle();
  CHECK_FALSE(says(stage, kFrom));
  press_the_key(stage);
  CHECK(says(stage, kFrom));
  CHECK(stage.shell().desk().in_words);
  press_the_key(stage);
  CHECK_FALSE(says(stage, kFrom));
}

TEST_CASE("what an open question covers is not said in words either") {
  Stage stage(1440, 2000);
  stage.open_made_up();
  stage.shell().set_in_words(true);
  CHECK_FALSE(says(stage, "Thread to element  ["));
  stage.book().answer("threads", "12");
  stage.settle();
  CHECK(says(stage, "Thread to element  ["));
}

}  // namespace warpbook::gui::in_words_test
