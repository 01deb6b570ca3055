// The curve under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::curve_test {
namespace {
class Activations {
 public:
  Activations() : stage(1440, 2400) { stage.open_answered("activations"); }
  void show(const std::vector<std::pair<std::string, lab::Value>>& values) {
    lab::Inputs inputs;
    inputs.values = lab::defaults(stage.book().lesson()->parameters);
    for (const auto& [name, value] : values) inputs.values.set(name, value);
    stage.book().set_inputs(inputs);
    stage.settle();
  }
  ImRect rectangle() { return stage.rectangle(kPlot); }
  /// The point that the panel keeps, or -1.
  int kept() {
    int point = -1;
    stage.act([&](ImGuiTestContext& t) {
      const ImGuiTestItemInfo info = t.ItemInfo(kPlot);
      ImGuiWindow* window = info.Window;
      // The panel's own scope is the item's parent; its key is "point".
      point = window->StateStorage.GetInt(ImHashStr("point", 0, info.ParentID), -1);
    });
    return point;
  }
  static constexpr const char* kPlot = "**/curve/plot";
  Stage stage;
};
}  // namespace

TEST_CASE("a press on the curve keeps the nearest point; the arrow keys go on from there") {
  Activations page;
  const ImRect rect = page.rectangle();
  page.stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos({rect.Min.x + rect.GetWidth() * 0.75f, (rect.Min.y + rect.Max.y) / 2});
    t.MouseClick();
  });
  const int pressed = page.kept();
  CHECK(pressed > 90);  // 129 points from -6 to 6, one looked at, an infinity before them
  CHECK(pressed < 105);
  page.stage.act([&](ImGuiTestContext& t) {
    t.NavMoveTo(Activations::kPlot);
    t.KeyPress(ImGuiKey_RightArrow);
    t.KeyPress(ImGuiKey_RightArrow);
    t.KeyPress(ImGuiKey_LeftArrow);
  });
  CHECK(page.kept() == pressed + 1);
}

TEST_CASE("a curve of a million points keeps to its share of vertices") {
  Activations page;
  page.show(
      {{"n", lab::Value(std::int64_t{1} << 20)}, {"function", lab::Value(std::string("gelu"))}});
  (void)page.rectangle();
  CHECK(Stage::vertices() > 1000);
  CHECK(Stage::vertices() < 40'000);
}

}  // namespace warpbook::gui::curve_test
