// The product under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/shown.hpp"

namespace warpbook::gui::product_test {
namespace {
constexpr const char* kResults = "**/product/results";

/// 4 x 4 elements of block 2, a row for each thread.
lab::Exhibit product() {
  lab::ProductExhibit made;
  made.rows = made.columns = made.depth = 4;
  made.block = 2;
  for (std::uint32_t thread = 0; thread < 4; ++thread) {
    const std::uint32_t first = 4 * thread;
    made.threads.push_back({thread, {first, first + 1, first + 2}, {first}, {thread}, {}, {}});
  }
  return {"product", lab::Message::plain("Product"), {}, std::move(made)};
}

/// Which thread the panel keeps.
int kept(Stage& stage) {
  int thread = -1;
  stage.act([&](ImGuiTestContext& t) {
    const ImGuiTestItemInfo info = t.ItemInfo(kResults);
    thread = info.Window->StateStorage.GetInt(ImHashStr("thread", 0, info.ParentID), 0);
  });
  return thread;
}

void press_element(Stage& stage, float row, float column) {
  stage.act([&](ImGuiTestContext& t) {
    const ImRect results = t.ItemInfo(kResults).RectFull;
    t.MouseMoveToPos({results.Min.x + (column + 0.5f) / 4 * results.GetWidth(),
                      results.Min.y + (row + 0.5f) / 4 * results.GetHeight()});
    t.MouseClick();
  });
}
}  // namespace

TEST_CASE("a press on an element of c keeps and pins the thread that computed it") {
  Stage stage(1440, 1000);
  show(stage, product());
  press_element(stage, 2, 1);
  CHECK(stage.book().link.pinned().thread == Link::Thread{2, 2});
  CHECK(kept(stage) == 2);
  press_element(stage, 0, 3);  // nobody's
  CHECK(kept(stage) == 2);
}

TEST_CASE("the arrow keys go from thread to thread of a product") {
  Stage stage(1440, 1000);
  show(stage, product());
  const auto after = [&](ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(kResults);
      t.KeyPress(key);
    });
    return kept(stage);
  };
  CHECK(after(ImGuiKey_RightArrow) == 1);
  CHECK(after(ImGuiKey_RightArrow) == 2);
  CHECK(after(ImGuiKey_LeftArrow) == 1);
}

TEST_CASE("a product that nobody computed has words instead") {
  Stage stage(1440, 1000);
  show(stage, {"product", lab::Message::plain("Product"), {}, lab::ProductExhibit{}});
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists(kResults)); });
}

}  // namespace warpbook::gui::product_test
