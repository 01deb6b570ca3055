// The grid in space under mouse and keyboard.
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::grid_view_test {
namespace {
/// The chapter on grids with the lab wide, and every question answered so that nothing is covered.
class Grids {
 public:
  explicit Grids(std::int64_t depth = 1, std::int64_t height = 8) : stage(1440, 900) {
    stage.open_answered("grids");
    stage.book().set_value("depth", lab::Value(depth));
    stage.book().set_value("height", lab::Value(height));
    stage.shell().set_stop(Shell::Stop::lab);
    stage.settle();
  }
  /// The picture, scrolled to: what is out of sight is not drawn.
  ImRect scene() {
    stage.shell().lab().reveal("geometry");
    stage.settle();
    return stage.rectangle("**/grid");
  }
  std::optional<Link::Thread> click(ImVec2 at) {
    stage.book().link.unpin();
    stage.act([&](ImGuiTestContext& t) {
      t.MouseMoveToPos(at);
      t.MouseClick();
    });
    return stage.book().link.pinned().thread;
  }
  Stage stage;
};
}  // namespace

TEST_CASE("a click pins a block of the grid; after a turn, another stands there") {
  Grids grids;
  const ImRect rect = grids.scene();
  const ImVec2 aside{rect.Min.x + rect.GetWidth() * 0.3f, rect.GetCenter().y};
  const auto before = grids.click(aside);
  REQUIRE(before);
  CHECK(before->block < 6);
  CHECK(before->thread == 0);
  grids.stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(rect.GetCenter());
    t.MouseDragWithDelta({390, 0});  // about half a turn: 390 x 0.008
  });
  CHECK(grids.stage.book().link.pinned().thread == before);  // dragging lets nothing go
  const auto after = grids.click(aside);
  REQUIRE(after);
  CHECK(after->block != before->block);
}

TEST_CASE("on the grid, comma and full stop go from block to block") {
  Grids grids;
  (void)grids.scene();
  grids.stage.act([&](ImGuiTestContext& t) {
    t.NavMoveTo("**/grid");
    t.KeyPress(ImGuiKey_Period);
  });
  REQUIRE(grids.stage.book().link.pinned().thread);
  CHECK(grids.stage.book().link.pinned().thread->block == 0);
  grids.stage.act([&](ImGuiTestContext& t) {
    t.NavMoveTo("**/grid");
    t.KeyPress(ImGuiKey_Comma);
  });
  CHECK(grids.stage.book().link.pinned().thread->block == 5);
}

TEST_CASE("a thread is pinned in the block that is looked at") {
  Grids grids;
  (void)grids.scene();
  Link link;
  link.thread = Link::Thread{4, 0};
  grids.stage.book().link.pin(link);
  grids.stage.settle();
  grids.stage.act([&](ImGuiTestContext& t) {
    const ImRect threads = t.ItemInfo("**/threads").RectFull;  // 4 x 4 of them
    t.MouseMoveToPos({threads.Min.x + threads.GetWidth() * 0.375f,
                      threads.Min.y + threads.GetHeight() * 0.625f});
    t.MouseClick();
  });
  REQUIRE(grids.stage.book().link.pinned().thread);
  CHECK(grids.stage.book().link.pinned().thread->block == 4);
  CHECK(grids.stage.book().link.pinned().thread->thread == 9);
}

TEST_CASE("slices are shown one at a time: what is hidden cannot be clicked") {
  Grids grids(3, 1);  // low, so that the grid below it is in view
  const ImRect rect = grids.scene();
  std::set<std::uint32_t> all, last;
  const auto sweep = [&](std::set<std::uint32_t>& slices) {
    for (int tenth = 1; tenth < 10; ++tenth) {
      const float x = static_cast<float>(tenth) / 10, y = 1.05f - x;
      const auto hit =
          grids.click({rect.Min.x + rect.GetWidth() * x, rect.Min.y + rect.GetHeight() * y});
      if (hit) slices.insert(hit->block / 3);
    }
  };
  sweep(all);
  CHECK(all.size() > 1);
  grids.stage.act([&](ImGuiTestContext& t) { t.ItemClick("**/slice before"); });
  sweep(last);
  CHECK(last == std::set<std::uint32_t>{2});
}

TEST_CASE("the grid in space keeps to its share of vertices with its largest grid") {
  Grids grids(8);
  for (const auto& [name, value] : {std::pair<const char*, std::int64_t>{"width", 128},
                                    {"height", 96},
                                    {"block_x", 2},
                                    {"block_y", 1}}) {
    grids.stage.book().set_value(name, lab::Value(value));
  }
  grids.stage.settle();
  (void)grids.scene();
  CHECK(Stage::vertices() > 1000);
  CHECK(Stage::vertices() < 40'000);
}

}  // namespace warpbook::gui::grid_view_test
