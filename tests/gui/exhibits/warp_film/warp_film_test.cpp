// A warp's film under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/shown.hpp"

namespace warpbook::gui::warp_film_test {
namespace {
constexpr const char* kFilm = "**/film/film";

lab::Exhibit film() {
  constexpr std::uint32_t kAll = ~0u, kEven = 0x55555555u;
  lab::WarpFilmExhibit made;
  made.lanes = kAll;
  made.rows = {{1, "if (even)"}, {2, "  a();"}, {4, "  b();"}};
  made.steps = {{0, kAll, 10}, {1, kEven, 10}, {2, ~kEven, 10}, {0, kAll, 10}};
  made.chosen = 1;
  return {"film", lab::Message::plain("Film"),
          device::Evidence{device::EvidenceKind::counted, lab::Message::plain("H200"), {}},
          std::move(made)};
}

/// The step that the panel keeps, or -1.
int kept(Stage& stage) {
  int step = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kFilm);
    step = info.Window->StateStorage.GetInt(ImHashStr("step", 0, info.ParentID), -1);
  });
  return step;
}

void press_at(Stage& stage, float share) {
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(kFilm).RectFull;
    t.MouseMoveToPos({rect.Min.x + share * rect.GetWidth(), rect.GetCenter().y});
    t.MouseClick();
  });
}
}  // namespace

TEST_CASE("a press on a warp's film goes to its step, and the arrow keys go on from there") {
  Stage stage(1440, 1400);
  const lab::Exhibit exhibit = film();
  show(stage, exhibit);
  press_at(stage, 0.6f);
  CHECK(kept(stage) == 2);
  const auto key = [&](ImGuiKey pressed) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kFilm);
      t.KeyPress(pressed);
    });
    return kept(stage);
  };
  CHECK(key(ImGuiKey_RightArrow) == 3);
  CHECK(key(ImGuiKey_RightArrow) == 3);  // there is no further one
  CHECK(key(ImGuiKey_LeftArrow) == 2);
  CHECK(key(ImGuiKey_Home) == 0);
  CHECK(key(ImGuiKey_LeftArrow) == 0);
  CHECK(key(ImGuiKey_End) == 3);
}

TEST_CASE("a warp's film is a slider: the step follows the mouse that drags it") {
  Stage stage(1440, 1400);
  const lab::Exhibit exhibit = film();
  show(stage, exhibit);
  stage.act([&](ImGuiTestContext& t) {
    const ImRect rect = t.ItemInfo(kFilm).RectFull;
    const float y = rect.GetCenter().y;
    t.MouseMoveToPos({rect.Min.x + 0.1f * rect.GetWidth(), y});
    t.MouseDown(ImGuiMouseButton_Left);
    t.MouseMoveToPos({rect.Min.x + 0.9f * rect.GetWidth(), y});
    t.MouseUp(ImGuiMouseButton_Left);
  });
  CHECK(kept(stage) == 3);
}

TEST_CASE("a film of nothing has words instead") {
  Stage stage(1440, 1400);
  lab::Exhibit exhibit = film();
  exhibit.value = lab::WarpFilmExhibit{};
  show(stage, exhibit);
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kFilm)); });
}

}  // namespace warpbook::gui::warp_film_test
