// The strip of schedules under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/schedules/schedules.hpp"
#include "tests/gui/shown.hpp"

namespace warpbook::gui::schedules_test {
namespace {
constexpr const char* kStrip = "**/schedules/strip";

/// 64 schedules, of which every third is wrong.
lab::Exhibit schedules() {
  lab::SchedulesExhibit made;
  made.array = "used";
  made.elements = 96;
  made.outcomes = {{true, 0, {}, {}}, {true, 1, {{32, "62", "2062"}}, {32}}};
  for (std::uint32_t run = 0; run < 64; ++run) made.runs.push_back(run % 3 == 2 ? 1 : 0);
  return {"schedules", lab::Message::plain("Schedules"), {}, std::move(made)};
}

/// The schedule that the panel keeps, or -1.
int kept(Stage& stage) {
  int run = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kStrip);
    run = info.Window->StateStorage.GetInt(ImHashStr("schedule", 0, info.ParentID), -1);
  });
  return run;
}
}  // namespace

TEST_CASE(
    "a press on the strip keeps a schedule; the arrow keys go on along it and to other rows") {
  Stage stage(1440, 1400);
  show(stage, schedules());
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(kStrip).RectFull;
    // The panel is so narrow that a row has 16: the third cell of the second of four rows.
    t.MouseMoveToPos(
        {rect.Min.x + 2.5f / 16 * rect.GetWidth(), rect.Min.y + 1.5f / 4 * rect.GetHeight()});
    t.MouseClick();
  });
  CHECK(kept(stage) == 18);
  const auto after = [&](ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kStrip);
      t.KeyPress(key);
    });
    return kept(stage);
  };
  CHECK(after(ImGuiKey_LeftArrow) == 17);
  CHECK(after(ImGuiKey_DownArrow) == 33);
  CHECK(after(ImGuiKey_DownArrow) == 49);
  CHECK(after(ImGuiKey_DownArrow) == 49);  // there is no further row
  CHECK(after(ImGuiKey_UpArrow) == 33);
  CHECK(after(ImGuiKey_UpArrow) == 17);
  CHECK(after(ImGuiKey_UpArrow) == 1);
  CHECK(after(ImGuiKey_LeftArrow) == 0);
  CHECK(after(ImGuiKey_LeftArrow) == 0);
  CHECK(after(ImGuiKey_RightArrow) == 1);
}

TEST_CASE("where no schedule was run, words stand in the strip's place") {
  Stage stage(1440, 1400);
  lab::Exhibit exhibit = schedules();
  std::get<lab::SchedulesExhibit>(exhibit.value) = {};
  show(stage, exhibit);
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kStrip)); });
}

}  // namespace warpbook::gui::schedules_test
