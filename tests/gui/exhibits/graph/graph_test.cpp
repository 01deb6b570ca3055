// The graph under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/graph/graph_picture.hpp"
#include "tests/gui/shown.hpp"

namespace warpbook::gui::graph_test {
namespace {
constexpr const char *kTrack = "**/graph/steps", *kNodes = "**/graph/nodes";

/// y = 3x at x = 2, and its way back: two steps.
lab::GraphExhibit product() {
  using Data = lab::GraphExhibit::Data;
  const auto number = [](double value) { return Data{{1}, {1}, {value}}; };
  lab::GraphExhibit made;
  made.nodes = {
      {"3", "", "", {}, number(3), false, {}, {}, {}},
      {"x", "", "", {}, number(2), true, number(3), {}, {}},
      {"y", "multiply", "", {{0, {}}, {1, number(3)}}, number(6), true, number(1), {}, {}}};
  return made;
}

lab::Exhibit exhibit_of(lab::GraphExhibit graph) {
  return {"graph", lab::Message::plain("Graph"), {}, std::move(graph)};
}

/// The step that the panel shows; `otherwise` where nobody has chosen one.
int kept(Stage& stage, int otherwise) {
  int step = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kTrack);
    step = info.Window->StateStorage.GetInt(ImHashStr("step", 0, info.ParentID), otherwise);
  });
  return step;
}
}  // namespace

TEST_CASE("a graph is walked by arrow keys, from before its first step to after its last") {
  Stage stage(1440, 1000);
  show(stage, exhibit_of(product()));
  const auto after = [&](ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kTrack);
      t.KeyPress(key);
    });
    return kept(stage, 2);
  };
  CHECK(after(ImGuiKey_LeftArrow) == 1);
  CHECK(after(ImGuiKey_Home) == 0);
  CHECK(after(ImGuiKey_LeftArrow) == 0);
  CHECK(after(ImGuiKey_End) == 2);
  CHECK(after(ImGuiKey_RightArrow) == 2);
}

TEST_CASE("a press on a node goes to the step that made it, a second one to its way back") {
  Stage stage(1440, 1000);
  show(stage, exhibit_of(product()));
  const auto press = [&] {
    stage.act([&](ImGuiTestContext& t) {
      const ImRect nodes = t.ItemInfo(kNodes).RectFull;
      const lab::GraphPlane plane(product(), static_cast<double>(nodes.GetWidth()));
      const lab::Point middle = plane.box(2).middle();
      t.MouseMoveToPos(
          {nodes.Min.x + static_cast<float>(middle.x), nodes.Min.y + static_cast<float>(middle.y)});
      t.MouseClick();
    });
    return kept(stage, 2);
  };
  CHECK(press() == 1);
  CHECK(press() == 2);
  CHECK(press() == 1);
}

TEST_CASE("a graph without nodes has words instead") {
  Stage stage(1440, 1000);
  show(stage, exhibit_of({}));
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kNodes)); });
}

}  // namespace warpbook::gui::graph_test
