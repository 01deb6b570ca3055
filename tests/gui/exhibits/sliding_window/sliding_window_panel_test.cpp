// The sliding window under mouse and keyboard: an output, its window and its column of the matrix lead to each other.
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::window_test {
namespace {
class Convolution {
 public:
  Convolution() : stage(1440, 3600) {
    stage.open_answered("convolution");
    stage.book().set_value("channels", lab::Value(std::int64_t{3}));
    stage.settle();
    stage.shell().document().go_to_step("run");
    stage.settle();
  }
  /// Clicks a cell of an item that is made of columns x rows cells.
  void click(const char* item, float column, float columns, float row, float rows) {
    const ImRect rect = stage.rectangle(item);
    stage.act([&](ImGuiTestContext& t) {
      t.MouseMoveToPos({rect.Min.x + rect.GetWidth() * (column + 0.5f) / columns,
                        rect.Min.y + rect.GetHeight() * (row + 0.5f) / rows});
      t.MouseClick();
    });
  }
  void press(ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kOutputs);
      t.KeyPress(key);
    });
  }
  [[nodiscard]] Link::Thread pinned() {
    const auto& thread = stage.book().link.pinned().thread;
    REQUIRE(thread);
    return *thread;
  }
  static constexpr const char *kOutputs = "**/window/outputs", *kMatrix = "**/window/matrix";
  Stage stage;
};
}  // namespace

TEST_CASE("an output that is clicked pins its thread; the arrow keys go to its neighbours") {
  Convolution page;
  page.click(Convolution::kOutputs, 0, 8, 0, 8);
  CHECK(page.pinned() == Link::Thread{0, 0});
  page.press(ImGuiKey_RightArrow);
  CHECK(page.pinned() == Link::Thread{0, 1});
  page.press(ImGuiKey_DownArrow);  // a row of 8 outputs further
  CHECK(page.pinned() == Link::Thread{0, 9});
  page.press(ImGuiKey_LeftArrow);
  page.press(ImGuiKey_LeftArrow);  // there is none before the first
  CHECK(page.pinned() == Link::Thread{0, 8});
  page.press(ImGuiKey_UpArrow);
  CHECK(page.pinned() == Link::Thread{0, 0});
}

TEST_CASE("a place of the matrix leads to the output whose window it belongs to") {
  Convolution page;
  page.click(Convolution::kOutputs, 0, 8, 0, 8);
  page.click(Convolution::kMatrix, 5, 48, 3, 27);
  CHECK(page.pinned() == Link::Thread{0, 5});
}

TEST_CASE("another channel of input and filter is shown by buttons and by keys, round and round") {
  Convolution page;
  const auto channel = [&page] {
    int number = -1;
    page.stage.act([&number](ImGuiTestContext& t) {
      const ImGuiTestItemInfo outputs = t.ItemInfo(Convolution::kOutputs);
      REQUIRE(outputs.Window);
      number = outputs.Window->StateStorage.GetInt(ImHashStr("channel", 0, outputs.ParentID), 0);
    });
    return number;
  };
  (void)page.stage.rectangle(Convolution::kOutputs);
  page.stage.act([](ImGuiTestContext& t) { t.ItemClick("**/window/channel after"); });
  CHECK(channel() == 1);
  page.press(ImGuiKey_Period);
  CHECK(channel() == 2);
  page.press(ImGuiKey_Period);
  CHECK(channel() == 0);
  page.stage.act([](ImGuiTestContext& t) { t.ItemClick("**/window/channel before"); });
  CHECK(channel() == 2);
}

TEST_CASE("the chapter on convolution keeps to its share of vertices at the window") {
  Convolution page;
  (void)page.stage.rectangle(Convolution::kOutputs);
  CHECK(Stage::vertices() > 1000);
  CHECK(Stage::vertices() < 50'000);  // a page of 3,600 points
}

}  // namespace warpbook::gui::window_test
