#include "gui/document/find_bar.hpp"

#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/gui/made_up.hpp"
#include "tests/gui/words_on_stage.hpp"

namespace warpbook::gui::find_bar_test {
namespace {
FindBar& bar(Stage& stage) { return stage.shell().document().find_bar(); }

void find(Stage& stage, const char* words) {
  stage.act([words](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    t.Yield(2);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    t.KeyChars(words);
  });
  stage.settle();
}

void press(Stage& stage, ImGuiKeyChord chord) {
  stage.act([chord](ImGuiTestContext& t) { t.KeyPress(chord); });
  stage.settle();
}
}  // namespace

TEST_CASE("Ctrl+F finds every place in the chapter and Enter goes from one to the next") {
  Stage stage;
  stage.open_made_up();
  find(stage, "BLOCKS");
  REQUIRE(bar(stage).is_open());
  REQUIRE(bar(stage).found().size() == 4);
  CHECK(bar(stage).now() == 0);
  press(stage, ImGuiKey_Enter);
  CHECK(bar(stage).now() == 1);
  press(stage, ImGuiKey_F3);
  press(stage, ImGuiKey_Enter);
  CHECK(bar(stage).now() == 3);
  press(stage, ImGuiKey_Enter);  // and round
  CHECK(bar(stage).now() == 0);
  press(stage, ImGuiMod_Shift | ImGuiKey_Enter);
  CHECK(bar(stage).now() == 3);
  press(stage, ImGuiMod_Shift | ImGuiKey_F3);
  CHECK(bar(stage).now() == 2);
}

TEST_CASE("a find in another step scrolls there") {
  Stage stage(1440, 500);
  stage.open_made_up();
  CHECK(stage.shell().document().scroll() == 0);
  find(stage, "blocks of 8");
  CHECK(stage.shell().document().scroll() > 200);
  const ImVec2 at = where(stage, "Blocks of 8");
  CHECK(at.y > 100);
  CHECK(at.y < 450);
  CHECK(stage.shell().document().steps()[stage.shell().document().current_step()].name ==
        "compare");
}

TEST_CASE("what an open question covers is not found until it is answered") {
  Stage stage;
  stage.open_made_up();
  find(stage, "rounds up");
  CHECK(bar(stage).found().empty());
  stage.book().answer("threads", "12");
  stage.settle();
  CHECK(bar(stage).found().size() == 1);
}

TEST_CASE("Escape closes the bar, takes its marks away and gives the keyboard back") {
  Stage stage;
  stage.open_made_up();
  find(stage, "thread");
  CHECK(bar(stage).found().size() == 3);
  press(stage, ImGuiKey_Escape);
  CHECK_FALSE(bar(stage).is_open());
  CHECK(bar(stage).found().empty());
  CHECK_FALSE(ImGui::GetIO().WantTextInput);
  press(stage, ImGuiKey_2);  // the page's keys work again
  CHECK(stage.book().answered("threads"));
}

TEST_CASE("the bar gives the keyboard back to the box that had it") {
  Stage stage;
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P); });
  stage.settle();
  REQUIRE(ImGui::GetIO().WantTextInput);
  const ImGuiID box = ImGui::GetActiveID();
  find(stage, "thread");
  CHECK(ImGui::GetActiveID() != box);
  press(stage, ImGuiKey_Escape);
  CHECK(ImGui::GetActiveID() == box);
  CHECK(ImGui::GetIO().WantTextInput);
}

TEST_CASE("the bar that opens again has the keyboard, wherever that was in between") {
  const std::string between =
      GENERATE(as<std::string>{}, "", "lab", "button", "slider", "box", "scrolled");
  CAPTURE(between);
  Stage stage(1440, 900);
  stage.open("coalescing");
  find(stage, "warp");
  REQUIRE_FALSE(bar(stage).found().empty());
  press(stage, ImGuiKey_Escape);
  stage.act([&](ImGuiTestContext& t) {
    if (between == "lab") {
      t.MouseMoveToPos({1100, 700});
      t.MouseClick();
    } else if (between == "button") {
      t.ItemClick("**/step after");
    } else if (between == "slider") {
      t.ItemClick("**/stride/slider");
    } else if (between == "box") {
      t.ItemClick("**/stride/##value");
    } else if (between == "scrolled") {
      t.MouseMoveToPos({400, 500});
      t.MouseWheelY(-10);
    }
    t.Yield(2);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    t.Yield(3);
    t.KeyChars("lanes");
    t.Yield(3);
  });
  stage.settle();
  CHECK(bar(stage).is_open());
  CHECK(ImGui::GetIO().WantTextInput);
  for (const TextRange& range : bar(stage).found()) CHECK(range.to - range.from == 5);
  CHECK_FALSE(bar(stage).found().empty());
}

TEST_CASE("what is selected is what is looked for") {
  Stage stage;
  stage.open_made_up();
  drag(stage, where(stage, "kernel is"), behind(stage, "kernel"));
  press(stage, ImGuiMod_Ctrl | ImGuiKey_F);
  CHECK(bar(stage).words() == "kernel");
  CHECK(bar(stage).found().size() == 4);
}

TEST_CASE("words that the chapter does not have are said not to be there") {
  Stage stage;
  stage.open_made_up();
  find(stage, "voodoo");
  CHECK(bar(stage).found().empty());
  press(stage, ImGuiKey_F3);
  press(stage, ImGuiMod_Shift | ImGuiKey_Enter);
  CHECK(bar(stage).now() == 0);
  find(stage, "");
  CHECK(bar(stage).found().empty());
}

TEST_CASE("Chinese is found as it is written") {
  Stage stage(1440, 900, "zh");
  stage.open("first-kernel");
  stage.shell().document().find("线程束");
  stage.settle();
  CHECK(bar(stage).found().size() > 1);
}

TEST_CASE("many finds cost only those in view") {
  Stage stage(1440, 900);
  stage.open_made_up();
  const int before = Stage::vertices();
  stage.shell().document().find("e");
  stage.settle();
  CHECK(bar(stage).found().size() > 40);
  CHECK(Stage::vertices() < before + 3000);
  CHECK(Stage::draw_calls() < 60);
}

TEST_CASE("the document is shown again to find in it, where the lab has the whole window") {
  Stage stage;
  stage.open_made_up();
  stage.shell().set_stop(Shell::Stop::lab_only);
  stage.settle();
  find(stage, "kernel");
  CHECK(stage.shell().stop() == Shell::Stop::read);
  CHECK(bar(stage).found().size() == 4);
}

}  // namespace warpbook::gui::find_bar_test
