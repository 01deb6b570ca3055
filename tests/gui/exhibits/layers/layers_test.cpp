// A network's layers under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/shown.hpp"

namespace warpbook::gui::layers_test {
namespace {
constexpr const char* kLayers = "**/layers/layers";

lab::Exhibit layers() {
  lab::LayersExhibit made;
  made.images = 1;
  for (const char* name : {"image", "conv1", "relu1", "fc"})
    made.layers.push_back(
        {name, {1, 4, 4}, 0, 64, lab::LayersExhibit::none(), lab::LayersExhibit::none(), {}});
  return {"layers", lab::Message::plain("Layers"), {}, std::move(made)};
}

/// The layer that the panel keeps, or -1.
int kept(Stage& stage) {
  int layer = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kLayers);
    layer = info.Window->StateStorage.GetInt(ImHashStr("layer", 0, info.ParentID), -1);
  });
  return layer;
}
}  // namespace

TEST_CASE("a press on a layer keeps it, and the arrow keys go on from there") {
  Stage stage(1440, 1400);
  const lab::Exhibit exhibit = layers();
  show(stage, exhibit);
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(kLayers).RectFull;
    t.MouseMoveToPos({rect.GetCenter().x, rect.Min.y + 0.9f * rect.GetHeight()});
    t.MouseClick();
  });
  CHECK(kept(stage) == 3);
  const auto after = [&](ImGuiKey pressed) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kLayers);
      t.KeyPress(pressed);
    });
    return kept(stage);
  };
  CHECK(after(ImGuiKey_DownArrow) == 3);
  CHECK(after(ImGuiKey_UpArrow) == 2);
  CHECK(after(ImGuiKey_DownArrow) == 3);
}

}  // namespace warpbook::gui::layers_test
