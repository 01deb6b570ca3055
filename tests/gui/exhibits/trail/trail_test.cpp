// The way of an error under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/trail/trail.hpp"
#include "tests/gui/shown.hpp"

namespace warpbook::gui::trail_test {
namespace {
constexpr const char* kSteps = "**/trail/steps";

lab::Exhibit trail() {
  lab::TrailExhibit made;
  for (const char* code : {"cudaMalloc(&d_t, bytes);", "plus<<<1, 1>>>(d_t);", "cudaFree(d_t);"})
    made.steps.push_back({code, "cudaSuccess", false, true});
  return {"trail", lab::Message::plain("Trail"), {}, std::move(made)};
}

/// The step that the panel keeps, or -1.
int kept_step(Stage& stage) {
  int step = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kSteps);
    step = info.Window->StateStorage.GetInt(ImHashStr("step", 0, info.ParentID), -1);
  });
  return step;
}
}  // namespace

TEST_CASE("the arrow keys go along the lines of an error's way, and a press keeps one") {
  Stage stage(1440, 1400);
  show(stage, trail());
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick(kSteps);  // the middle: the second of three lines
  });
  CHECK(kept_step(stage) == 1);
  const auto after = [&](ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kSteps);
      t.KeyPress(key);
    });
    return kept_step(stage);
  };
  CHECK(after(ImGuiKey_DownArrow) == 2);
  CHECK(after(ImGuiKey_DownArrow) == 2);
  CHECK(after(ImGuiKey_UpArrow) == 1);
  CHECK(after(ImGuiKey_UpArrow) == 0);
  CHECK(after(ImGuiKey_UpArrow) == 0);
}

TEST_CASE("where a program has no line, words stand in the picture's place") {
  Stage stage(1440, 1400);
  lab::Exhibit exhibit = trail();
  std::get<lab::TrailExhibit>(exhibit.value) = {};
  show(stage, exhibit);
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kSteps)); });
}

}  // namespace warpbook::gui::trail_test
