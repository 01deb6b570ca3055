// A tree under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/shown.hpp"

namespace warpbook::gui::tree_test {
namespace {
constexpr const char* kRounds = "**/tree/rounds";

/// Four places, joined in two rounds.
lab::Exhibit tree() {
  lab::TreeExhibit made;
  made.places = 4;
  made.threads = 32;
  made.rounds = {{{{0, 0, {}}, {1, 1, {}}, {2, 2, {}}, {3, 3, {}}}, 1, 1},
                 {{{0, 0, {0, 2}}, {1, 1, {1, 3}}}, 3, 3},
                 {{{0, 0, {0, 1}}}, 3, 3}};
  return {"tree", lab::Message::plain("Tree"),
          device::Evidence{device::EvidenceKind::counted, lab::Message::plain("H200"), {}},
          std::move(made)};
}

/// The round that the panel keeps, or -1.
int kept(Stage& stage) {
  int round = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kRounds);
    round = info.Window->StateStorage.GetInt(ImHashStr("round", 0, info.ParentID), -1);
  });
  return round;
}
}  // namespace

TEST_CASE("a press on a tree keeps its round, and the arrow keys go on from there") {
  Stage stage(1440, 1400);
  const lab::Exhibit exhibit = tree();
  show(stage, exhibit);
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(kRounds).RectFull;
    t.MouseMoveToPos({rect.GetCenter().x, rect.Min.y + 0.1f * rect.GetHeight()});
    t.MouseClick();
  });
  CHECK(kept(stage) == 0);
  const auto after = [&](ImGuiKey pressed) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kRounds);
      t.KeyPress(pressed);
    });
    return kept(stage);
  };
  CHECK(after(ImGuiKey_UpArrow) == 0);
  CHECK(after(ImGuiKey_DownArrow) == 1);
  CHECK(after(ImGuiKey_DownArrow) == 2);
  CHECK(after(ImGuiKey_DownArrow) == 2);
  CHECK(after(ImGuiKey_UpArrow) == 1);
}

}  // namespace warpbook::gui::tree_test
