// The tabs of the panel in which sources are edited.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::code_panel_test {
namespace {
ImRect place(Stage& stage, const char* item) {
  ImRect rect;
  stage.act([&](ImGuiTestContext& t) { rect = t.ItemInfo(item).RectFull; });
  return rect;
}
}  // namespace

TEST_CASE("the tabs are the sources that the run used, and those that were edited") {
  Stage stage(1440, 2600);  // all of the lab
  stage.open("activations");
  stage.book().set_value("function", lab::Value(std::string("tanh")));
  stage.settle();
  CHECK(stage.has("**/tanh/slot"));
  CHECK_FALSE(stage.has("**/relu/slot"));
  stage.book().set_value("function", lab::Value(std::string("relu")));
  stage.settle();
  CHECK(stage.has("**/relu/slot"));
  CHECK_FALSE(stage.has("**/tanh/slot"));
  stage.book().set_source("tanh", stage.book().source("tanh") + "\n// mine\n");
  stage.settle();
  CHECK(stage.has("**/tanh/slot"));  // what a reader wrote is never out of reach
}

TEST_CASE("a source that does not compile takes no tab away") {
  Stage stage(1440, 2600);  // all of the lab
  stage.open("grids");
  REQUIRE(stage.has("**/wait_for_last/slot"));
  stage.book().set_source("darken", "__global__ void darken( {");
  stage.settle();
  CHECK(stage.has("**/wait_for_last/slot"));
  CHECK(stage.has("**/darken/slot"));
}

TEST_CASE("tabs keep to the lab's width, in several rows where they need them") {
  Stage stage(1100, 2600);
  stage.open("activations");
  const ImRect ptx = place(stage, "**/ptx"), sass = place(stage, "**/sass");
  CHECK(sass.Max.x <= 1100);
  CHECK(sass.Min.y == ptx.Min.y);  // the two stay on one row
}

}  // namespace warpbook::gui::code_panel_test
