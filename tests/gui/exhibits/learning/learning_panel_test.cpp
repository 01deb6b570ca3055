// A training under mouse and keyboard, together with its picture in the plane.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/shown.hpp"

namespace warpbook::gui::learning_panel_test {
namespace {
constexpr const char* kPlot = "**/curve/plot";
constexpr const char* kLaunches = "**/curve/launches";
constexpr const char* kSteps = "**/boundary/steps";
constexpr const char* kStepChoice = "training/step";

/// Five points, each with two launches, the first of which takes three quarters of the time. They open the made-up chapter's n.
lab::Exhibit learning() {
  lab::LearningExhibit made;
  auto& run = made.runs.emplace_back();
  for (std::uint64_t i = 0; i < 5; ++i) {
    run.points.push_back({10 * i, 1.0 / static_cast<double>(i + 1), std::nullopt, {}});
    for (const double seconds : {3e-6, 1e-6}) {
      auto& launch = run.points.back().launches.emplace_back();
      launch.operation = "sgemm_strided";
      launch.seconds = seconds;
    }
  }
  made.steps = 40;
  made.opens = "n";
  return {"curve", lab::Message::plain("Curve"), {}, std::move(made)};
}

lab::Exhibit boundary() {
  lab::BoundaryExhibit made;
  made.side = made.classes = 2;
  for (std::uint64_t i = 0; i < 5; ++i) made.frames.push_back({10 * i, {0, 1, 0, 1}, {}});
  return {"boundary", lab::Message::plain("Boundary"), {}, std::move(made)};
}

void press(Stage& stage, const char* item, float share) {
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(item).RectFull;
    t.MouseMoveToPos({rect.Min.x + share * rect.GetWidth(), rect.GetCenter().y});
    t.MouseClick();
  });
}
}  // namespace

TEST_CASE("a press on a training's curve opens that step, and the arrow keys go on from there") {
  Stage stage(1440, 1000);
  show(stage, learning());
  CHECK(stage.book().choice(kStepChoice) == -1);
  press(stage, kPlot, 0.52f);
  CHECK(stage.book().choice(kStepChoice) == 20);
  const auto after = [&](ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kPlot);
      t.KeyPress(key);
    });
    return stage.book().choice(kStepChoice);
  };
  CHECK(after(ImGuiKey_RightArrow) == 30);
  CHECK(after(ImGuiKey_LeftArrow) == 20);
}

TEST_CASE("a press on a launch sets the parameter by which the chapter looks into it") {
  Stage stage(1440, 1000);
  show(stage, learning());
  press(stage, kLaunches, 0.9f);
  CHECK(stage.book().inputs().values.integer("n") == 2);
  press(stage, kLaunches, 0.1f);
  CHECK(stage.book().inputs().values.integer("n") == 1);
}

TEST_CASE("a press on the strip below a boundary opens that step everywhere") {
  Stage stage(1440, 1000);
  show(stage, boundary());
  press(stage, kSteps, 0.3f);
  CHECK(stage.book().choice(kStepChoice) == 10);
  stage.act([&](ImGuiTestContext& t) {
    t.NavMoveTo(kSteps);
    t.KeyPress(ImGuiKey_LeftArrow);
  });
  CHECK(stage.book().choice(kStepChoice) == 0);
}

TEST_CASE("a training without a step has words instead") {
  Stage stage(1440, 1000);
  show(stage, {"curve", lab::Message::plain("Curve"), {}, lab::LearningExhibit{}});
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kPlot)); });
}

}  // namespace warpbook::gui::learning_panel_test
