// The roofline under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/markup/axis.hpp"
#include "tests/gui/shown.hpp"

namespace warpbook::gui::roofline_test {
namespace {
constexpr const char* kPlot = "**/roofline/plot";

lab::Exhibit roofline() {
  lab::RooflineExhibit made;
  made.gpu = "H200";
  made.memories = {{"dram", 4e12}, {"l2", 6e12}};
  made.ceilings = {{"fp32", 6e13}};
  made.points = {
      {lab::Message::plain("strided"), 2e6, 3.2e7, 3.4e7, 2e-5, 1.6e-5, 2.5e-5, 0, "dram"},
      {lab::Message::plain("tiled"), 4e9, 5e7, 8e8, 1e-4, 9e-5, 1.2e-4, 0, "fp32"},
      {lab::Message::plain("copy"), 0, 8e6, 8e6, 5e-6, 4e-6, 6e-6, 0, "dram"}};
  return {"roofline", lab::Message::plain("Roofline"),
          device::Evidence{device::EvidenceKind::estimated, lab::Message::plain("H200"), {}},
          std::move(made)};
}

/// The run that the panel keeps, or -1.
int kept(Stage& stage) {
  int run = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kPlot);
    run = info.Window->StateStorage.GetInt(ImHashStr("run", 0, info.ParentID), -1);
  });
  return run;
}
}  // namespace

TEST_CASE(
    "a press on the roofline keeps the nearest run; the arrow keys go on, to what is not drawn "
    "too") {
  Stage stage(1440, 1400);
  const lab::Exhibit exhibit = roofline();
  show(stage, exhibit);
  const auto& made = std::get<lab::RooflineExhibit>(exhibit.value);
  const lab::RooflineBounds bounds = lab::bounds_of(made);
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(kPlot).RectFull;
    const auto& tiled = made.points[1];
    const auto across = static_cast<float>(
        lab::log_share(lab::intensity_of(made, tiled), bounds.left, bounds.right));
    const auto up =
        static_cast<float>(lab::log_share(lab::rate_of(tiled), bounds.low, bounds.high));
    t.MouseMoveToPos(
        {rect.Min.x + across * rect.GetWidth() + 6, rect.Max.y - up * rect.GetHeight() + 6});
    t.MouseClick();
  });
  CHECK(kept(stage) == 1);
  stage.act([&](ImGuiTestContext& t) {
    t.NavMoveTo(kPlot);
    t.KeyPress(ImGuiKey_RightArrow);
  });
  CHECK(kept(stage) == 2);
  stage.act([&](ImGuiTestContext& t) {
    t.NavMoveTo(kPlot);
    t.KeyPress(ImGuiKey_RightArrow);  // there is no further one
    t.KeyPress(ImGuiKey_LeftArrow);
    t.KeyPress(ImGuiKey_LeftArrow);
    t.KeyPress(ImGuiKey_LeftArrow);
  });
  CHECK(kept(stage) == 0);
}

TEST_CASE(
    "a roofline with nothing to draw has words instead, one of thousands its share of vertices") {
  Stage stage(1440, 1400);
  lab::Exhibit exhibit = roofline();
  auto& made = std::get<lab::RooflineExhibit>(exhibit.value);
  const auto runs = made.points;
  made.points = {runs[2]};
  show(stage, exhibit);
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kPlot)); });
  made.points.clear();
  show(stage, exhibit);
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kPlot)); });
  made.points.assign(2'000, runs[1]);
  show(stage, exhibit);
  stage.act([](ImGuiTestContext& t) { CHECK(t.ItemExists(kPlot)); });
  CHECK(Stage::vertices() < 80'000);
}

}  // namespace warpbook::gui::roofline_test
