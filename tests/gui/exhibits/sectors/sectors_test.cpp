// The map of lanes and sectors under mouse and keyboard.
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::sectors_test {
namespace {
class Coalescing {
 public:
  Coalescing() : stage(1440, 2000) {
    stage.open_answered("coalescing");
    stage.shell().document().go_to_step("run");
    stage.settle();
  }
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

TEST_CASE("a lane of the map pins its thread; keys go to other warps and other accesses") {
  Coalescing page;
  page.click_lane(5);
  CHECK(page.pinned() == Link::Thread{0, 5});
  page.press(ImGuiKey_Period);  // 128 threads in blocks of 64: the next warp
  CHECK(page.pinned() == Link::Thread{0, 37});
  page.press(ImGuiKey_Period);
  CHECK(page.pinned() == Link::Thread{1, 5});
  page.press(ImGuiKey_DownArrow);  // the store, by the same warp
  CHECK(page.pinned() == Link::Thread{1, 5});
  page.press(ImGuiKey_Comma);
  CHECK(page.pinned() == Link::Thread{0, 37});
  page.press(ImGuiKey_Comma);
  page.press(ImGuiKey_Comma);  // there is none before the first
  CHECK(page.pinned() == Link::Thread{0, 5});
}

TEST_CASE("the arrow keys pick a lane of the map, and end at the first and the last") {
  Coalescing page;
  page.press(ImGuiKey_RightArrow);  // none is picked yet: the first
  CHECK(page.pinned() == Link::Thread{0, 0});
  page.press(ImGuiKey_LeftArrow);
  CHECK(page.pinned() == Link::Thread{0, 0});
  page.press(ImGuiKey_RightArrow);
  CHECK(page.pinned() == Link::Thread{0, 1});
  page.click_lane(31);
  page.press(ImGuiKey_RightArrow);
  CHECK(page.pinned() == Link::Thread{0, 31});
}

TEST_CASE("a press on bytes of a sector picks the lane that asked for them") {
  Coalescing page;  // stride 1: sector 2 has lanes 16 to 23, a word of 4 bytes each
  const ImRect rect = page.stage.rectangle("**/map/sectors");
  const float column = rect.GetWidth() / 32;
  const auto press_byte = [&](float sector, float byte) {
    page.stage.act([&](ImGuiTestContext& t) {
      t.MouseMoveToPos({rect.Min.x + column * (sector + 0.5f),
                        rect.Min.y + rect.GetHeight() * (byte + 0.5f) / 32});
      t.MouseClick();
    });
  };
  press_byte(2, 20);
  CHECK(page.pinned() == Link::Thread{0, 21});
  press_byte(20, 4);  // nobody touched that one
  CHECK(page.pinned() == Link::Thread{0, 21});
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

TEST_CASE("the caption is about the request that is shown, not about the first") {
  Coalescing page;
  page.stage.book().set_value("stride", lab::Value(std::int64_t{7}));
  page.stage.settle();
  // 14.3 % of what the load moves is used; the store has no gaps.
  const auto gaps_named = [&] {
    int count = 0;
    page.stage.context().fonts().set_watch(
        {[&](std::string_view text) { count += text.find("14.3") != text.npos ? 1 : 0; }, {}});
    page.stage.frame();
    page.stage.context().fonts().set_watch({});
    return count;
  };
  page.press(ImGuiKey_RightArrow);
  const int before = gaps_named();
  page.press(ImGuiKey_DownArrow);  // the store, by the same warp
  CHECK(gaps_named() == before - 1);
}

}  // namespace warpbook::gui::sectors_test
