// Tab alone goes wherever the mouse can press, on the whole page and not only where it is in sight, and the focus is seen each time.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lessons/catalogue.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::keyboard_walk_test {
namespace {

constexpr float kWidth = 1440, kHeight = 900;
constexpr int kSettled = 4;  // frames after a key until what it led to is scrolled to

/// A page that stays as it is wherever one is in it: the lab does not follow, and nothing moves slowly.
void open(Stage& stage, std::string_view slug) {
  stage.book().set_reduced_motion(true);
  stage.open_answered(slug);
  stage.shell().hold_lab(true);
  stage.book().set_active_exercise("");
  stage.settle();
}

/// Tab goes into a window from its parent, without a key of its own.
bool is_entered(const ImGuiWindow* window) {
  for (; window->ParentWindow; window = window->ParentWindow) {
    if ((window->ChildFlags & ImGuiChildFlags_NavFlattened) == 0) return false;
  }
  return true;
}

using Items = std::map<ImGuiID, std::string>;  ///< and the name of each

/// Adds what a press acts on in the frame that is drawn, in windows whose names do not hold `but_in`. The buttons of the foot
/// change with the place in the text.
void add_pressed(Stage& stage, Items& found, std::string_view but_in) {
  stage.act([&](ImGuiTestContext& t) {
    ImGuiTestItemList items;
    t.GatherItems(&items, "//book");
    for (const ImGuiTestItemInfo& item : items) {
      const std::string name = item.DebugLabel, window = item.Window->Name;
      const bool of_foot = name == "step before" || name == "step after" || name == "chapter after";
      if ((item.ItemFlags & (ImGuiItemFlags_Disabled | ImGuiItemFlags_NoNav)) == 0 &&
          is_entered(item.Window) && !of_foot && window.find(but_in) == window.npos)
        found[item.ID] = name;
    }
  });
}

/// Those of a page of which nothing is out of sight, but not of the strip of parameters, which has other items in a lower window.
Items pressed_anywhere(std::string_view slug) {
  constexpr float kHigh = 60'000;
  Stage stage(kWidth, kHigh);
  open(stage, slug);
  Items found;
  add_pressed(stage, found, "/lab top_");
  return found;
}

/// The focus has a ring, or a caret, and is in sight.
bool focus_is_seen() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!g.NavWindow || g.NavId == 0) return false;
  const ImRect at = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[g.NavLayer]);
  ImRect seen = g.NavWindow->OuterRectClipped;
  seen.ClipWith({{0, 0}, ImGui::GetIO().DisplaySize});
  return seen.Overlaps(at) && (g.NavCursorVisible || g.IO.WantTextInput);
}

/// It is in the chapter's text, not in the bars around it.
bool focus_is_in_text() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return g.NavId != 0 && g.NavWindow &&
         std::string_view(g.NavWindow->Name).find("/document") != std::string_view::npos;
}

/// What Tab comes to until it comes to the first one again.
std::set<ImGuiID> walked(Stage& stage) {
  constexpr int kMost = 2000;
  std::set<ImGuiID> reached;
  stage.act([&](ImGuiTestContext& t) {
    ImGuiID first = 0;
    std::string name;
    for (int pressed = 0; pressed < kMost; ++pressed) {
      t.KeyPress(ImGuiKey_Tab);
      t.Yield(kSettled);
      const ImGuiID id = ImGui::GetCurrentContext()->NavId;
      name = t.ItemInfo(id, ImGuiTestOpFlags_NoError).DebugLabel;
      CAPTURE(pressed, name);
      CHECK(focus_is_seen());
      if (id == first) return;
      if (first == 0) first = id;
      if (!reached.insert(id).second) break;  // it goes round without the first
    }
    FAIL_CHECK("Tab does not come round, but back to " << name);
  });
  return reached;
}

void walk(std::string_view slug) {
  CAPTURE(slug);
  Items wanted = pressed_anywhere(slug);
  Stage stage(kWidth, kHeight);
  open(stage, slug);
  add_pressed(stage, wanted, "no such window");
  const std::set<ImGuiID> reached = walked(stage);
  CHECK(wanted.size() > 30);
  for (const auto& [id, name] : wanted) {
    CAPTURE(name);
    CHECK(reached.contains(id));
  }
}

}  // namespace

TEST_CASE("by Tab alone the focus goes to all that the mouse can press, and is seen", "[ci]") {
  walk("first-kernel");
}

TEST_CASE("by Tab alone the focus goes to all that the mouse can press, in every chapter",
          "[long]") {
  for (const lab::Lesson& lesson : lessons::catalogue()) walk(lesson.slug);
}

TEST_CASE(
    "menus and settings are opened, walked and closed by keys, and the focus is seen in them") {
  Stage stage(kWidth, kHeight);
  stage.open_answered("first-kernel");
  stage.act([](ImGuiTestContext& t) {
    const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_G);
    t.Yield(kSettled);
    REQUIRE(open.Size == 1);
    t.KeyPress(ImGuiKey_DownArrow);
    t.Yield(kSettled);
    CHECK(focus_is_seen());
    t.KeyPress(ImGuiKey_Escape);
    t.Yield(kSettled);
    CHECK(open.empty());
  });
  stage.shell().open_settings();
  stage.act([](ImGuiTestContext& t) {
    const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
    t.Yield(kSettled);
    REQUIRE(open.Size == 1);
    std::set<ImGuiID> reached;
    for (int i = 0; i < 12; ++i) {
      t.KeyPress(ImGuiKey_Tab);
      t.Yield(kSettled);
      CHECK(focus_is_seen());
      reached.insert(ImGui::GetCurrentContext()->NavId);
    }
    CHECK(reached.size() > 8);
    t.KeyPress(ImGuiKey_Escape);
    t.Yield(kSettled);
    CHECK(open.empty());
  });
}

TEST_CASE("Tab is text in the editor, which a key leaves, so that Tab leads on") {
  Stage stage(kWidth, kHeight);
  stage.open_answered("first-kernel");
  const std::string source = stage.book().source("add");
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(kSettled);
    CHECK(stage.shell().lab().code().editor("add").has_keyboard());
    t.KeyPress(ImGuiKey_F6);
    t.Yield(kSettled);
    CHECK_FALSE(stage.shell().lab().code().editor("add").has_keyboard());
    for (int i = 0; i < 2; ++i) {
      t.KeyPress(ImGuiKey_Tab);
      t.Yield(kSettled);
    }
    CHECK(focus_is_seen());
  });
  CHECK(stage.book().source("add") == source);
}

TEST_CASE("the editor that a key leads to is scrolled to, and takes what is typed") {
  Stage stage(kWidth, 560);
  stage.book().set_reduced_motion(true);
  stage.open_answered("first-kernel");
  LabView& lab = stage.shell().lab();
  const std::string source = stage.book().source("add");
  lab.scroll_on(1e6f);
  stage.settle();
  REQUIRE(lab.place_of("code")->max.y < lab.scroll_top());
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(kSettled);
    t.KeyChars("// ");
    t.Yield(kSettled);
  });
  CHECK(stage.book().source("add") == "// " + source);
  CHECK(lab.place_of("code")->max.y > lab.scroll_top() + CodeEditor::kRow);
}

TEST_CASE("in a narrow window the key for the editor turns to the lab") {
  Stage stage(800, kHeight);
  stage.open_answered("first-kernel");
  const std::string source = stage.book().source("add");
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(kSettled);
    t.KeyChars("// ");
    t.Yield(kSettled);
  });
  CHECK(stage.book().source("add") == "// " + source);
}

TEST_CASE(
    "the focus goes to the question that a key leads to, and arrow keys and Enter answer it") {
  Stage stage(kWidth, 600);
  stage.open("first-kernel");
  stage.book().set_reduced_motion(true);
  const auto question = std::ranges::find_if(stage.book().document().nodes, [](const auto& node) {
    return std::holds_alternative<lab::PredictDirective>(node);
  });
  REQUIRE(question != stage.book().document().nodes.end());
  const auto& asked = std::get<lab::PredictDirective>(*question);
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Q);
    t.Yield(kSettled);
    CHECK(focus_is_seen());
    t.KeyPress(ImGuiKey_DownArrow);
    t.Yield(kSettled);
    t.KeyPress(ImGuiKey_Enter);
    t.Yield(kSettled);
  });
  REQUIRE(stage.book().answered(asked.id));
  CHECK(stage.book().answers().find(asked.id)->second == asked.choices[1].value);
  stage.settle();
  // Its choices are gone, so keys scroll again.
  const float before = stage.shell().document().scroll();
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiKey_DownArrow);
    t.Yield(kSettled);
    CHECK(stage.shell().document().scroll() > before);
  });
}

TEST_CASE("from the step that a key leads to, Tab goes on, and arrow keys scroll") {
  Stage stage(kWidth, 600);
  stage.book().set_reduced_motion(true);
  stage.open_answered("first-kernel");
  DocumentView& text = stage.shell().document();
  stage.act([&](ImGuiTestContext& t) {
    t.ItemClick("**/settings");
    t.Yield(kSettled);
    t.KeyPress(ImGuiKey_Escape);
    t.Yield(kSettled);
    t.KeyPress(ImGuiKey_Tab);  // a ring somewhere else
    t.Yield(kSettled);
    t.KeyPress(ImGuiMod_Alt | ImGuiKey_RightArrow);
    t.Yield(kSettled);
    CHECK(text.current_step() == 1);
    const float at = text.scroll();
    t.KeyPress(ImGuiKey_DownArrow);
    t.Yield(kSettled);
    CHECK(text.scroll() > at);
    t.KeyPress(ImGuiKey_Tab);
    t.Yield(kSettled);
    CHECK(focus_is_seen());
    CHECK(focus_is_in_text());
    CHECK(text.current_step() == 1);
  });
}

TEST_CASE("the key that leaves the editor lets Tab go on from the text in view") {
  Stage stage(kWidth, 600);
  stage.book().set_reduced_motion(true);
  stage.open_answered("first-kernel");
  DocumentView& text = stage.shell().document();
  text.go_to_step("change");
  stage.settle();
  const std::size_t step = text.current_step();
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(kSettled);
    const float at = text.scroll();
    t.KeyPress(ImGuiKey_F6);
    t.Yield(kSettled);
    CHECK(text.scroll() == at);
    t.KeyPress(ImGuiKey_Tab);
    t.Yield(kSettled);
    CHECK(focus_is_seen());
    CHECK(focus_is_in_text());
    CHECK(text.current_step() == step);
  });
}

TEST_CASE("the tip of a focused item stands above it, off what the focus comes to next") {
  Stage stage(kWidth, 600);
  stage.open_answered("first-kernel");
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    t.Yield(kSettled);
    const ImGuiTestItemInfo close = t.ItemInfo("**/find close");
    REQUIRE(close.ID != 0);
    for (int i = 0; i < 6 && ImGui::GetCurrentContext()->NavId != close.ID; ++i) {
      t.KeyPress(ImGuiKey_Tab);
      t.Yield(kSettled);
    }
    REQUIRE(ImGui::GetCurrentContext()->NavId == close.ID);
    t.SleepNoSkip(1, 1.0f / 60);
    const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
    REQUIRE(tip);
    REQUIRE(tip->WasActive);
    CHECK(tip->Rect().Max.y < close.RectFull.Min.y);
    CHECK(tip->Rect().Min.y >= 0);
    CHECK(tip->Rect().Max.x <= kWidth);
  });
}

TEST_CASE(
    "when a search is closed by its key and nothing had the focus, Tab goes on from the text") {
  Stage stage(kWidth, 600);
  stage.book().set_reduced_motion(true);
  stage.open_answered("first-kernel");
  DocumentView& text = stage.shell().document();
  text.go_to_step("change");
  stage.settle();
  const std::size_t step = text.current_step();
  const ImGuiKeyChord opens = GENERATE(
      ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_F,
      ImGuiMod_Ctrl | ImGuiKey_F, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_G);
  stage.act([&](ImGuiTestContext& t) {
    const float at = text.scroll();
    t.KeyPress(opens);
    t.Yield(kSettled);
    REQUIRE(ImGui::GetIO().WantTextInput);
    t.KeyPress(ImGuiKey_Escape);
    t.Yield(kSettled);
    REQUIRE_FALSE(ImGui::GetIO().WantTextInput);
    CHECK(text.scroll() == at);
    CHECK_FALSE(focus_is_seen());
    t.KeyPress(ImGuiKey_Tab);
    t.Yield(kSettled);
    CHECK(focus_is_seen());
    CHECK(focus_is_in_text());
    CHECK(text.current_step() == step);
    t.KeyPress(ImGuiKey_Tab);  // what a reader had reached gets it back
    t.Yield(kSettled);
    const ImGuiID had = ImGui::GetCurrentContext()->NavId;
    t.KeyPress(opens);
    t.Yield(kSettled);
    t.KeyPress(ImGuiKey_Escape);
    t.Yield(kSettled);
    CHECK(ImGui::GetCurrentContext()->NavId == had);
  });
}

TEST_CASE(
    "the key for questions leads to the open one in view, and behind the last one to the first") {
  Stage stage(kWidth, 600);
  stage.book().set_reduced_motion(true);
  stage.open("first-kernel");
  std::vector<std::string> questions;
  for (const lab::DocumentNode& node : stage.book().document().nodes) {
    if (const auto* asked = std::get_if<lab::PredictDirective>(&node))
      questions.push_back(asked->id);
  }
  REQUIRE(questions.size() > 2);
  const auto answer = [&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Q);
    t.Yield(kSettled);
    t.KeyPress(ImGuiKey_Enter);
    t.Yield(kSettled);
  };
  stage.shell().document().go_to_question(questions[1]);
  stage.settle();
  stage.act(answer);
  CHECK(stage.book().answered(questions[1]));
  CHECK_FALSE(stage.book().answered(questions[0]));
  stage.act(answer);  // what is in view is answered
  CHECK(stage.book().answered(questions[2]));
  CHECK_FALSE(stage.book().answered(questions[0]));
  stage.shell().document().go_to_step("look-ahead");
  stage.settle();
  for (std::size_t i = 3; i < questions.size(); ++i) stage.book().answer(questions[i], "");
  stage.act(answer);
  CHECK(stage.book().answered(questions[0]));
}

TEST_CASE("the key for the next step leads from the last one to the next chapter") {
  Stage stage(kWidth, kHeight);
  stage.book().set_reduced_motion(true);
  stage.open("coalescing");
  DocumentView& text = stage.shell().document();
  text.go_to_step("look-ahead");
  stage.settle();
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Alt | ImGuiKey_RightArrow);
    t.Yield(kSettled);
  });
  stage.settle();
  CHECK(stage.book().lesson()->slug == "tiles");
  CHECK(text.scroll() == 0);
}

TEST_CASE("to the chapter that the finder leads to, no ring goes along") {
  Stage stage(kWidth, kHeight);
  stage.book().set_reduced_motion(true);
  stage.open("first-kernel");
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiKey_Tab);  // a ring somewhere else
    t.Yield(kSettled);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
    t.Yield(kSettled);
    t.KeyChars("coalescing");
    t.Yield(kSettled);
    t.KeyPress(ImGuiKey_Enter);
    t.Yield(kSettled);
  });
  stage.settle();
  REQUIRE(stage.book().lesson()->slug == "coalescing");
  CHECK_FALSE(ImGui::GetCurrentContext()->NavCursorVisible);
}

}  // namespace warpbook::gui::keyboard_walk_test
