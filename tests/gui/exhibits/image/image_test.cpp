// The picture of the chapter on grids under mouse and keyboard.
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::image_test {
namespace {
class Grids {
 public:
  Grids() : stage(1440, 2000) {
    stage.open_answered("grids");
    stage.shell().document().go_to_step("run");
    stage.settle();
  }
  /// The picture on the screen.
  ImRect picture() { return stage.rectangle("**/pixels"); }
  Stage stage;
};
}  // namespace

TEST_CASE("a pixel of an image pins the thread that wrote it") {
  Grids grids;
  const ImRect rect = grids.picture();
  // 12 x 8 pixels in blocks of 4 x 4: pixel (5, 6) is of block (1, 1), thread (1, 2).
  const ImVec2 pixel{rect.Min.x + rect.GetWidth() * 5.5f / 12,
                     rect.Min.y + rect.GetHeight() * 6.5f / 8};
  grids.stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(pixel);
    t.MouseClick();
  });
  const auto& pinned = grids.stage.book().link.pinned().thread;
  REQUIRE(pinned);
  CHECK(pinned->block == 4);
  CHECK(pinned->thread == 9);
}

TEST_CASE("in a closer look at an image, a pixel still pins the thread that wrote it") {
  Grids grids;
  grids.stage.act([](ImGuiTestContext& t) {
    t.NavMoveTo("**/pixels");
    t.KeyPress(ImGuiKey_Equal);
  });
  grids.stage.settle();
  CHECK(grids.stage.book().choice("picture/closer") ==
        1);  // 9 x 6 of 12 x 8 pixels, from (2, 1) on
  const ImRect rect = grids.picture();
  grids.stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(
        {rect.Min.x + rect.GetWidth() * 3.5f / 9, rect.Min.y + rect.GetHeight() * 5.5f / 6});
    t.MouseClick();
  });
  const auto& pinned = grids.stage.book().link.pinned().thread;
  REQUIRE(pinned);
  CHECK(pinned->block == 4);  // pixel (5, 6)
  CHECK(pinned->thread == 9);
}

TEST_CASE("on an image, comma and full stop go from thread to thread, over the edges of blocks") {
  Grids grids;
  const ImRect rect = grids.picture();
  const ImVec2 first{rect.Min.x + rect.GetWidth() * 0.5f / 12,
                     rect.Min.y + rect.GetHeight() * 0.5f / 8};
  grids.stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(first);
    t.MouseClick();
    t.NavMoveTo("**/pixels");
    t.KeyPress(ImGuiKey_Comma);
  });
  REQUIRE(grids.stage.book().link.pinned().thread);
  CHECK(grids.stage.book().link.pinned().thread->block == 5);
  CHECK(grids.stage.book().link.pinned().thread->thread == 15);
  grids.stage.act([&](ImGuiTestContext& t) {
    t.NavMoveTo("**/pixels");
    t.KeyPress(ImGuiKey_Period);
    t.KeyPress(ImGuiKey_Period);
  });
  CHECK(grids.stage.book().link.pinned().thread->block == 0);
  CHECK(grids.stage.book().link.pinned().thread->thread == 1);
}

TEST_CASE("the chapter on grids keeps to its share of vertices with its largest image") {
  Grids grids;
  for (const auto& parameter : grids.stage.book().lesson()->parameters) {
    if (parameter.name != "width" && parameter.name != "height") continue;
    grids.stage.book().set_value(parameter.name,
                                 lab::Value(static_cast<std::int64_t>(parameter.maximum)));
  }
  grids.stage.book().set_value("colour", lab::Value(std::string("thread")));
  grids.stage.settle();
  (void)grids.picture();
  CHECK(Stage::vertices() > 1000);
  CHECK(Stage::vertices() < 40'000);
}

}  // namespace warpbook::gui::image_test
