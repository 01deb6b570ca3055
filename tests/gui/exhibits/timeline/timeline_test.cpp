// The timeline under mouse and keyboard.
#include <cmath>
#include <utility>

#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/timeline/timeline_picture.hpp"
#include "tests/gui/shown.hpp"

namespace warpbook::gui::timeline_test {
namespace {
using enum lab::TimelineExhibit::Activity;

constexpr const char* kRows = "**/timeline/rows";

lab::Exhibit timeline() {
  lab::TimelineExhibit made;
  made.rows = {lab::host_row(), lab::stream_row(1), lab::stream_row(2)};
  made.spans = {{0, waiting, "cudaDeviceSynchronize", 0, 10e-3, 0, 12, {}, {}},
                {1, copy_in, "cudaMemcpyAsync", 0, 4e-3, 4 << 20, 8, {}, {}},
                {1, kernel, "saxpy", 4e-3, 8e-3, 0, 9, {}, {}},
                {2, kernel, "reverse", 5e-3, 10e-3, 0, 10, {}, {1}}};
  made.times = device::Evidence{device::EvidenceKind::estimated, lab::Message::plain("H200"), {}};
  made.total = 10e-3;
  return {"timeline", lab::Message::plain("Timeline"), made.times, std::move(made)};
}

/// The span that the panel keeps, or -1.
int kept(Stage& stage) {
  int span = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kRows);
    span = info.Window->StateStorage.GetInt(ImHashStr("span", 0, info.ParentID), -1);
  });
  return span;
}
}  // namespace

TEST_CASE("a press on the timeline keeps the box; the arrow keys go along its row and to others") {
  Stage stage(1440, 1400);
  show(stage, timeline());
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(kRows).RectFull;
    // In the middle of the three rows, at 6 ms of 10.
    t.MouseMoveToPos({rect.Min.x + 0.6f * rect.GetWidth(), rect.GetCenter().y});
    t.MouseClick();
  });
  CHECK(kept(stage) == 2);
  const auto after = [&](ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kRows);
      t.KeyPress(key);
    });
    return kept(stage);
  };
  CHECK(after(ImGuiKey_LeftArrow) == 1);
  CHECK(after(ImGuiKey_LeftArrow) == 1);  // there is no earlier one
  CHECK(after(ImGuiKey_DownArrow) == 3);
  CHECK(after(ImGuiKey_DownArrow) == 3);
  CHECK(after(ImGuiKey_UpArrow) == 2);
  CHECK(after(ImGuiKey_UpArrow) == 0);
}

TEST_CASE(
    "a timeline is looked at closer by keys and by the wheel, dragged along, and shown whole") {
  Stage stage(1440, 1400);
  show(stage, timeline());
  // Shares of the axis that are drawn.
  const auto stretch = [&] {
    std::pair<float, float> kept;
    stage.act([&](ImGuiTestContext& t) {
      const ImGuiTestItemInfo info = t.ItemInfo(kRows);
      const ImGuiStorage& storage = info.Window->StateStorage;
      kept = {storage.GetFloat(ImHashStr("from", 0, info.ParentID), 0),
              storage.GetFloat(ImHashStr("to", 0, info.ParentID), 1)};
    });
    return kept;
  };
  const auto press = [&](ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kRows);
      t.KeyPress(key);
    });
  };
  press(ImGuiKey_Equal);
  CHECK(stretch() == std::pair(0.25f, 0.75f));
  stage.act([](ImGuiTestContext& t) {
    const ImRect rows = t.ItemInfo(kRows).RectFull;
    t.MouseMoveToPos(rows.GetCenter());
    t.MouseDragWithDelta({0.5f * rows.GetWidth(), 0});
  });
  CHECK(std::abs(stretch().first) < 0.02f);
  press(ImGuiKey_0);
  CHECK(stretch() == std::pair(0.0f, 1.0f));
  stage.act([](ImGuiTestContext& t) {
    const ImRect rows = t.ItemInfo(kRows).RectFull;
    t.MouseMoveToPos({rows.Min.x + 1, rows.Min.y + 5});
    t.KeyDown(ImGuiMod_Ctrl);
    t.MouseWheelY(1);
    t.KeyUp(ImGuiMod_Ctrl);
  });
  CHECK(stretch().first < 0.01f);
  CHECK(stretch().second < 0.9f);
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/timeline/whole"); });
  CHECK(stretch() == std::pair(0.0f, 1.0f));
}

TEST_CASE("after a press on a box the arrow keys step on from there, and change no parameter") {
  Stage stage(1440, 1400);
  show(stage, timeline());
  const lab::Inputs before = stage.book().inputs();
  std::string drawn;
  stage.context().fonts().set_watch({[&](std::string_view text) { drawn += text; }, {}});
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(kRows).RectFull;
    t.MouseMoveToPos({rect.Min.x + 0.6f * rect.GetWidth(), rect.GetCenter().y});
    t.MouseClick();
    t.Yield(2);
    drawn.clear();
    t.Yield(1);
    CHECK(drawn.find("saxpy (") != std::string::npos);
    for (int i = 0; i < 2; ++i) {
      t.KeyPress(ImGuiKey_LeftArrow);
      t.Yield(2);
    }
    drawn.clear();
    t.Yield(1);
    CHECK(drawn.find("cudaMemcpyAsync (") != std::string::npos);  // though the mouse rests on saxpy
    t.MouseMoveToPos({rect.Min.x + 0.61f * rect.GetWidth(), rect.GetCenter().y});
    drawn.clear();
    t.Yield(1);
    CHECK(drawn.find("saxpy (") != std::string::npos);
  });
  stage.context().fonts().set_watch({});
  CHECK(kept(stage) == 1);
  CHECK(stage.book().inputs() == before);
}

TEST_CASE("a press on a box of the timeline leads to its line, as Enter does on the chosen one") {
  Stage stage(1440, 1400);
  show(stage, timeline());
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(kRows).RectFull;
    t.MouseMoveToPos({rect.Min.x + 0.6f * rect.GetWidth(), rect.GetCenter().y});
    t.MouseClick();
  });
  CHECK(stage.book().link.pinned().line == 9);
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos({5, 5});
    t.NavMoveTo(kRows);
    t.KeyPress(ImGuiKey_LeftArrow);
    t.KeyPress(ImGuiKey_Enter);
  });
  CHECK(stage.book().link.pinned().line == 8);
}

TEST_CASE("a timeline without spans has words instead, one of ten thousand its share of vertices") {
  Stage stage(1440, 1400);
  lab::Exhibit exhibit = timeline();
  auto& made = std::get<lab::TimelineExhibit>(exhibit.value);
  made.spans.clear();
  show(stage, exhibit);
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kRows)); });
  for (int i = 0; i < 10'000; ++i) {
    lab::TimelineExhibit::Span span{
        1, i % 2 == 0 ? copy_in : kernel, "x", i * 1e-6, (i + 1) * 1e-6, 0, 0, {}, {}};
    made.spans.push_back(span);
  }
  show(stage, exhibit);
  stage.act([](ImGuiTestContext& t) { CHECK(t.ItemExists(kRows)); });
  CHECK(Stage::vertices() < 80'000);
}

}  // namespace warpbook::gui::timeline_test
