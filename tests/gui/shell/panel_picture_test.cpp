#include "gui/shell/panel_picture.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gui/draw/offscreen.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::panel_picture_test {

TEST_CASE("a panel alone has the size and scale asked for, and the window keeps its own frame",
          "[ci]") {
  Stage stage;
  stage.open_made_up();
  const auto screen = Offscreen::make(64, 64);
  REQUIRE(screen);
  const ImGuiContext* before = ImGui::GetCurrentContext();
  const auto picture = panel_picture(stage.book(), *stage.book().report()->find("out"), 400, 2);
  REQUIRE(picture);
  CHECK(picture->width == 2 * (400 + 24));
  CHECK(picture->height > 2 * 60);
  CHECK(ImGui::GetCurrentContext() == before);
  const std::string png = png_of(*picture);
  CHECK(png.substr(1, 3) == "PNG");
  stage.settle();
}

}  // namespace warpbook::gui::panel_picture_test
