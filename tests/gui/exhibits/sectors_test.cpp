// The map of lanes and sectors under mouse and keyboard.
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::sectors_test {
namespace {
class Coalescing {
 public:
  Coalescing() : stage(1440, 900) { stage.open_answered("coalescing"); }
  void click_lane(float lane) {
    const ImRect rect = stage.rectangle(kLanes);
    stage.act([&](ImGuiTestContext& t) {
      t.MouseMoveToPos(
          {rect.Min.x + rect.GetWidth() * (lane + 0.5f) / 32, (rect.Min.y + rect.Max.y) / 2});
      t.MouseClick();
    });
  }
  void press(ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kLanes);
      t.KeyPress(key);
    });
  }
  [[nodiscard]] Link::Thread pinned() {
    const auto& thread = stage.book().link.pinned().thread;
    REQUIRE(thread);
    return *thread;
  }
  static constexpr const char* kLanes = "**/map/lanes";
  Stage stage;
};
}  // namespace

TEST_CASE(
    "a lane of the map pins its thread; the arrow keys go to other warps and other accesses") {
  Coalescing page;
  page.click_lane(5);
  CHECK(page.pinned() == Link::Thread{0, 5});
  page.press(ImGuiKey_RightArrow);  // 128 threads in blocks of 64: the next warp
  CHECK(page.pinned() == Link::Thread{0, 37});
  page.press(ImGuiKey_RightArrow);
  CHECK(page.pinned() == Link::Thread{1, 5});
  page.press(ImGuiKey_DownArrow);  // the store, by the same warp
  CHECK(page.pinned() == Link::Thread{1, 5});
  page.press(ImGuiKey_LeftArrow);
  CHECK(page.pinned() == Link::Thread{0, 37});
  page.press(ImGuiKey_LeftArrow);
  page.press(ImGuiKey_LeftArrow);  // there is none before the first
  CHECK(page.pinned() == Link::Thread{0, 5});
}

TEST_CASE(
    "the chapter on coalescing keeps to its share of vertices where every lane has a sector of its "
    "own") {
  Coalescing page;
  page.stage.book().set_value("stride", lab::Value(std::int64_t{32}));
  page.stage.book().set_value("layout", lab::Value(std::string("aos")));
  page.stage.settle();
  (void)page.stage.rectangle(Coalescing::kLanes);
  CHECK(Stage::vertices() > 1000);
  CHECK(Stage::vertices() < 40'000);
}

}  // namespace warpbook::gui::sectors_test
