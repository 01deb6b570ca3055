// The tile under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/shown.hpp"

namespace warpbook::gui::tile_test {
namespace {
constexpr const char *kTrack = "**/tile/steps", *kPlaces = "**/tile/places";

/// 4 x 16 places of block 2, each filled by the thread of its number and then read by it, again and again.
lab::Exhibit tile(std::size_t steps = 2) {
  lab::TileExhibit made;
  made.rows = 4;
  made.columns = 16;
  made.block = 2;
  made.arrays = {"x"};
  made.steps.resize(steps);
  for (std::uint32_t place = 0; place < 64; ++place) {
    made.steps[0].cells.push_back({place, 1, 0, place, lab::TileExhibit::Source{0, place}, {}});
    for (std::size_t step = 1; step < steps; ++step)
      made.steps[step].cells.push_back({place, 0, 1, 0, {}, {place}});
  }
  return {"tile", lab::Message::plain("Tile"), {}, std::move(made)};
}

/// The step that the panel shows.
int kept(Stage& stage) {
  int step = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kTrack);
    step = info.Window->StateStorage.GetInt(ImHashStr("step", 0, info.ParentID), 0);
  });
  return step;
}
}  // namespace

TEST_CASE("the arrow keys go from step to step of a tile, Home and End to the ends") {
  Stage stage(1440, 1000);
  show(stage, tile(5));
  const auto after = [&](const char* item, ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(item);
      t.KeyPress(key);
    });
    return kept(stage);
  };
  CHECK(after(kTrack, ImGuiKey_LeftArrow) == 0);
  CHECK(after(kTrack, ImGuiKey_RightArrow) == 1);
  CHECK(after(kPlaces, ImGuiKey_RightArrow) == 2);
  CHECK(after(kPlaces, ImGuiKey_End) == 4);
  CHECK(after(kTrack, ImGuiKey_RightArrow) == 4);
  CHECK(after(kTrack, ImGuiKey_Home) == 0);
}

TEST_CASE("a press on the track goes to its step, and the buttons to the next and the one before") {
  Stage stage(1440, 1000);
  show(stage, tile(5));
  stage.act([](ImGuiTestContext& t) {
    const ImRect track = t.ItemInfo(kTrack).RectFull;
    t.MouseMoveToPos({track.Min.x + 0.76f * track.GetWidth(), track.GetCenter().y});
    t.MouseClick();
  });
  CHECK(kept(stage) == 3);
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/tile/step before"); });
  CHECK(kept(stage) == 2);
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/tile/step after"); });
  CHECK(kept(stage) == 3);
}

TEST_CASE("a press on a place of a tile pins the thread that wrote it") {
  Stage stage(1440, 1000);
  show(stage, tile());
  stage.act([](ImGuiTestContext& t) {
    const ImRect places = t.ItemInfo(kPlaces).RectFull;
    // Row 2, column 5 of 4 x 16.
    t.MouseMoveToPos({places.Min.x + 5.5f / 16 * places.GetWidth(),
                      places.Min.y + 2.5f / 4 * places.GetHeight()});
    t.MouseClick();
  });
  CHECK(stage.book().link.pinned().thread == Link::Thread{2, 37});
}

TEST_CASE("a tile that nobody touched has words instead") {
  Stage stage(1440, 1000);
  show(stage, {"tile", lab::Message::plain("Tile"), {}, lab::TileExhibit{}});
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kPlaces)); });
}

}  // namespace warpbook::gui::tile_test
